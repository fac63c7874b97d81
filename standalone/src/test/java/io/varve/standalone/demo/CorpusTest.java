package io.varve.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class CorpusTest {

  @TempDir private Path folder;

  private Path write(String path, String text) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static List<JsonNode> documents(Corpus corpus) throws IOException, InterruptedException {
    List<JsonNode> documents = new ArrayList<>();
    corpus.forEach((document, _) -> {
      assertThat(document).doesNotContain("\n");
      return documents.add(Json.mapper().readTree(document));
    });
    assertThat(corpus.count()).isEqualTo(documents.size());
    return documents;
  }

  @Test
  void aFileHasADocumentOnEachLineThatIsNotBlank() throws Exception {
    Corpus corpus = new FileCorpus(write("books.json", "{\"n\":1}\n\n  \n{\"n\":2}"));

    assertThat(documents(corpus).stream().map(document -> document.path("n").asInt()))
        .containsExactly(1, 2);
    assertThat(corpus.title()).isEqualTo("books.json");
  }

  @Test
  void aFileIsAskedForAWordOfItsFirstText() throws IOException {
    Corpus corpus =
        new FileCorpus(
            write("books.json", "{\"n\":1,\"blank\":\" \",\"title\":\" War  and Peace\"}\n{}\n"));

    assertThat(corpus.questions()).hasSize(2);
    Corpus.Question match = corpus.questions().get(1);
    assertThat(Json.mapper().readTree(match.body()).at("/query/match/title").asString())
        .isEqualTo("War");
    assertThat(new FileCorpus(write("numbers.json", "{\"n\":1}\n")).questions()).hasSize(1);
    assertThat(new FileCorpus(write("empty.json", "")).questions()).hasSize(1);
  }

  @Test
  void aFileThatIsNotTextIsRefusedBeforeAnythingIsSent() throws IOException {
    Path file = Files.write(folder.resolve("picture"), new byte[] {(byte) 0xff, (byte) 0xfe, 10});

    assertThatThrownBy(() -> new FileCorpus(file).count()).isInstanceOf(IOException.class);
  }

  @Test
  void aFolderHasTheLinesOfItsTextFiles() throws Exception {
    write("src/A.java", "class A {\n\n}\n");
    write("README", "one\n");
    write("target/B.class", "left out");
    write(".git/HEAD", "left out");
    Files.write(
        folder.resolve("picture.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', (byte) 0xff});
    Files.write(folder.resolve("zero.bin"), new byte[] {'a', 0, 'b'});

    List<JsonNode> documents = documents(new RepositoryCorpus(folder));

    assertThat(documents.stream().map(CorpusTest::line))
        .containsExactly("README:1 text one", "src/A.java:1 java class A {", "src/A.java:3 java }");
  }

  private static String line(JsonNode document) {
    assertThat(document.path("kind").asString()).isEqualTo("line");
    return "%s:%d %s %s"
        .formatted(
            document.path("path").asString(),
            document.path("line").asInt(),
            document.path("language").asString(),
            document.path("text").asString());
  }

  @Test
  void aCheckoutHasWhatIsTrackedAndItsCommits() throws Exception {
    write("tracked.md", "# Title\n");
    git("init", "-q");
    git("add", "tracked.md");
    git("-c", "user.name=n", "-c", "user.email=e@x.org", "commit", "-q", "-m", "Subject\n\nBody");
    write("not-tracked.md", "left out\n");

    List<JsonNode> documents = documents(new RepositoryCorpus(folder));

    assertThat(documents).hasSize(2);
    assertThat(line(documents.get(0))).isEqualTo("tracked.md:1 markdown # Title");
    JsonNode commit = documents.get(1);
    assertThat(commit.path("kind").asString()).isEqualTo("commit");
    assertThat(commit.path("commit").asString()).matches("[0-9a-f]{40}");
    assertThat(commit.path("message").asString()).isEqualTo("Subject\n\nBody");
    assertThat(commit.path("author_date").asString()).startsWith("20");
  }

  private void git(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor()).as("%s", command).isZero();
  }

  @Test
  void whatIsAskedOfARepositoryIsJsonOverItsOwnFields() {
    RepositoryCorpus corpus = new RepositoryCorpus(folder);
    JsonNode fields = Json.mapper().readTree(corpus.mapping()).path("properties");

    assertThat(corpus.questions())
        .isNotEmpty()
        .allSatisfy(question -> {
          assertThat(Json.mapper().readTree(question.body()).has("query")).isTrue();
          assertThat(question.fields()).isNotEmpty().allMatch(fields::has);
        });
  }
}
