package io.varve.standalone.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.events.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * A corpus with a document for each line of each text file of a checkout, and, if git is available,
 * for each commit of its history.
 */
record RepositoryCorpus(Path root) implements Corpus {

  private static final long MAX_FILE_BYTES = 4 << 20;
  private static final String FIELD = "\u001f";
  private static final String RECORD = "\u001e";
  private static final Map<String, String> LANGUAGES =
      Map.ofEntries(
          Map.entry("java", "java"),
          Map.entry("md", "markdown"),
          Map.entry("xml", "xml"),
          Map.entry("yml", "yaml"),
          Map.entry("yaml", "yaml"),
          Map.entry("json", "json"),
          Map.entry("sh", "shell"),
          Map.entry("properties", "properties"));

  @Override
  public String title() {
    return "the repository at " + root;
  }

  @Override
  public String mapping() {
    return """
    {"properties":{
      "kind":{"type":"keyword"},"path":{"type":"keyword"},"language":{"type":"keyword"},"line":{"type":"integer"},
      "text":{"type":"text"},"commit":{"type":"keyword"},"author_date":{"type":"date"},"message":{"type":"text"}}}
    """;
  }

  @Override
  public long count() throws IOException, InterruptedException {
    AtomicLong count = new AtomicLong();
    forEach((_, _) -> count.incrementAndGet() > 0);
    return count.get();
  }

  @Override
  public void forEach(Sink sink) throws IOException, InterruptedException {
    boolean more = true;
    for (String path : paths()) {
      more = more && lines(path, sink);
    }
    if (more) {
      commits(sink);
    }
  }

  private List<String> paths() throws IOException {
    List<String> tracked = git("\u0000", "ls-files", "-z");
    if (!tracked.isEmpty()) {
      return tracked;
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(f -> root.relativize(f).toString())
          .filter(p -> !p.startsWith(".git/") && !p.contains("target/"))
          .sorted()
          .toList();
    }
  }

  /** Returns whether more documents are wanted. */
  private boolean lines(String path, Sink sink) throws IOException, InterruptedException {
    Path file = root.resolve(path);
    if (!Files.isRegularFile(file) || Files.size(file) > MAX_FILE_BYTES) {
      return true;
    }
    String language = language(path);
    int number = 0;
    for (String line : text(file)) {
      number++;
      if (!line.isBlank()) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("kind", "line");
        document.put("path", path);
        document.put("language", language);
        document.put("line", number);
        document.put("text", line);
        if (!sink.accept(Json.mapper().writeValueAsString(document), 0)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns the lines of a text file; empty for a binary file. */
  private static List<String> text(Path file) throws IOException {
    try {
      List<String> lines = Files.readAllLines(file);
      return lines.stream().anyMatch(l -> l.indexOf('\0') >= 0) ? List.of() : lines;
    } catch (CharacterCodingException e) {
      return List.of();
    }
  }

  private static String language(String path) {
    int dot = path.lastIndexOf('.');
    return dot < 0 ? "text" : LANGUAGES.getOrDefault(path.substring(dot + 1), "text");
  }

  private void commits(Sink sink) throws IOException, InterruptedException {
    for (String commit :
        git(RECORD, "log", "--format=%H" + FIELD + "%aI" + FIELD + "%B" + RECORD)) {
      String[] fields = commit.strip().split(FIELD, 3);
      if (fields.length == 3) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("kind", "commit");
        document.put("commit", fields[0]);
        document.put("author_date", fields[1]);
        document.put("message", fields[2].strip());
        if (!sink.accept(Json.mapper().writeValueAsString(document), 0)) {
          return;
        }
      }
    }
  }

  /** Runs git and splits its output; empty if git is missing or this is not a checkout. */
  private List<String> git(String separator, String... arguments) throws IOException {
    List<String> command =
        Stream.concat(Stream.of("git", "-C", root.toString()), Stream.of(arguments)).toList();
    Process process;
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    } catch (IOException e) {
      System.err.println("varve: cannot run git, so the corpus has no commits: " + e.getMessage());
      return List.of();
    }
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      StringBuilder out = new StringBuilder();
      for (int c = reader.read(); c >= 0; c = reader.read()) {
        out.append((char) c);
      }
      return Stream.of(out.toString().split(separator)).filter(s -> !s.isBlank()).toList();
    }
  }

  @Override
  public List<Question> questions() {
    return List.of(
        new Question(
            "lines that mention the primary term",
            "{\"size\":3,\"query\":{\"match\":{\"text\":{\"query\":\"primary term\",\"operator\":\"and\"}}}}",
            List.of("path", "line", "text")),
        new Question(
            "\"seq_no\" in Java, not in tests",
            """
            {"size":3,"query":{"bool":{"must":[{"match":{"text":"seq_no"}}],"filter":[{"term":{"language":"java"}}],
             "must_not":[{"wildcard":{"path":"*Test.java"}}]}}}\
            """,
            List.of("path", "line", "text")),
        new Question(
            "the newest commits",
            "{\"size\":3,\"query\":{\"term\":{\"kind\":\"commit\"}},\"sort\":[{\"author_date\":\"desc\"}]}",
            List.of("author_date", "message")));
  }
}
