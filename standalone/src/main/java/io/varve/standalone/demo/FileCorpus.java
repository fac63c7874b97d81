package io.varve.standalone.demo;

import io.varve.events.Json;
import io.varve.standalone.load.LineDocuments;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeType;

/** The user's own documents: a file with one JSON object per line. */
record FileCorpus(Path file) implements Corpus {

  @Override
  public String title() {
    return file.getFileName().toString();
  }

  @Override
  public String mapping() {
    return "{}";
  }

  @Override
  public long count() throws IOException, InterruptedException {
    AtomicLong count = new AtomicLong();
    forEach((_, _) -> count.incrementAndGet() > 0);
    return count.get();
  }

  @Override
  public void forEach(Sink sink) throws IOException, InterruptedException {
    try (InputStream in = Files.newInputStream(file)) {
      new LineDocuments(in).forEach(sink);
    }
  }

  /**
   * Returns a match-all search, and a search for a word from the first text field of the first
   * document.
   */
  @Override
  public List<Question> questions() {
    List<Question> questions = new ArrayList<>();
    questions.add(
        new Question("everything", "{\"size\":2,\"query\":{\"match_all\":{}}}", List.of()));
    try (Stream<String> lines = Files.lines(file)) {
      lines
          .filter(FileCorpus::isDocument)
          .findFirst()
          .map(line -> Json.mapper().readTree(line))
          .ifPresent(first -> addMatch(first, questions));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return questions;
  }

  private static boolean isDocument(String line) {
    return !line.isBlank();
  }

  private static void addMatch(JsonNode first, List<Question> questions) {
    for (Map.Entry<String, JsonNode> field : first.properties()) {
      if (field.getValue().getNodeType() == JsonNodeType.STRING
          && !field.getValue().stringValue().isBlank()) {
        String word = field.getValue().stringValue().strip().split("\\s+", 2)[0];
        String body =
            Json.mapper()
                .writeValueAsString(
                    Map.of("size", 2, "query", Map.of("match", Map.of(field.getKey(), word))));
        questions.add(new Question(field.getKey() + " matches \"" + word + "\"", body, List.of()));
        return;
      }
    }
  }
}
