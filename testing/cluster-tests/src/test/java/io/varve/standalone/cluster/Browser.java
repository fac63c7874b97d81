package io.varve.standalone.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.varve.events.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A page in a real browser, driven by {@code src/test/browser/driver.mjs}. Its packages are
 * installed in {@code target}. Without Node.js, the packages or Chromium the tests are skipped with
 * the reason; with {@code -Dbrowser.required=true} they fail.
 */
final class Browser implements AutoCloseable {

  private static final Path SOURCES = Path.of("src", "test", "browser").toAbsolutePath();
  private static final Path INSTALLED = Path.of("target", "browser").toAbsolutePath();
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final Duration WITHIN = Duration.ofMinutes(3);

  private final Process process;
  private final BufferedReader answers;

  private Browser(Process process) {
    this.process = process;
    this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  static Browser start() throws IOException, InterruptedException {
    Path chromium = executable();
    install();
    Process process =
        new ProcessBuilder(
                "node", "driver.mjs", chromium.toString(), Long.toString(WITHIN.toMillis()))
            .directory(INSTALLED.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    return new Browser(process);
  }

  private static Path executable() {
    return Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator))
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> missing("none of " + NAMES + " is on the PATH"));
  }

  private static void install() throws IOException, InterruptedException {
    Files.createDirectories(INSTALLED);
    String wanted = Files.readString(SOURCES.resolve("package.json"));
    Path done = INSTALLED.resolve("installed.json");
    Files.copy(
        SOURCES.resolve("driver.mjs"),
        INSTALLED.resolve("driver.mjs"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    if (Files.exists(done) && Files.readString(done).equals(wanted)) {
      return;
    }
    Files.writeString(INSTALLED.resolve("package.json"), wanted);
    try {
      Process npm =
          new ProcessBuilder(
                  "npm",
                  "install",
                  "--fetch-retries=0",
                  "--no-audit",
                  "--no-fund",
                  "--no-package-lock")
              .directory(INSTALLED.toFile())
              .redirectErrorStream(true)
              .start();
      String output = new String(npm.getInputStream().readAllBytes(), UTF_8);
      if (npm.waitFor() != 0) {
        throw missing("npm could not install the packages: " + output);
      }
    } catch (IOException e) {
      throw missing("npm could not be started: " + e.getMessage());
    }
    Files.writeString(done, wanted);
  }

  /** Never returns: it fails or skips the test. */
  private static RuntimeException missing(String reason) {
    String message = "the console was not tested in a browser: " + reason;
    if (Boolean.getBoolean("browser.required")) {
      return fail(message);
    }
    return abort(message);
  }

  Browser open(String url) throws IOException {
    run("open", Map.of("url", url));
    return this;
  }

  /** Waits for an element that the selector matches and whose text matches the pattern. */
  Browser awaitText(String selector, String pattern) throws IOException {
    run("awaitText", Map.of("selector", selector, "text", pattern));
    return this;
  }

  Browser awaitNoText(String selector, String pattern) throws IOException {
    run("awaitNoText", Map.of("selector", selector, "text", pattern));
    return this;
  }

  String text(String selector) throws IOException {
    return run("text", Map.of("selector", selector)).asString();
  }

  int count(String selector) throws IOException {
    return run("count", Map.of("selector", selector)).asInt();
  }

  Browser fill(String selector, String text) throws IOException {
    run("fill", Map.of("selector", selector, "text", text));
    return this;
  }

  Browser select(String selector, String text) throws IOException {
    run("select", Map.of("selector", selector, "text", text));
    return this;
  }

  Browser click(String selector) throws IOException {
    run("click", Map.of("selector", selector));
    return this;
  }

  /** Presses a key such as {@code Tab} or {@code Control+Enter}. */
  Browser press(String key) throws IOException {
    run("press", Map.of("key", key));
    return this;
  }

  /** The text of the focused element. */
  String focused() throws IOException {
    return run("focused", Map.of()).asString();
  }

  /** Emulates a system with the theme {@code light} or {@code dark}. */
  Browser theme(String theme) throws IOException {
    run("theme", Map.of("text", theme));
    return this;
  }

  Browser screenshot(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    run("screenshot", Map.of("path", file.toAbsolutePath().toString()));
    return this;
  }

  /** Errors of scripts, blocked content and dialogs since the start. */
  List<String> complaints() throws IOException {
    return texts(run("complaints", Map.of()));
  }

  /** What the accessibility checker axe finds on the page. */
  List<String> violations() throws IOException {
    return texts(run("violations", Map.of()));
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(one -> texts.add(one.asString()));
    return texts;
  }

  private JsonNode run(String command, Map<String, String> arguments) throws IOException {
    Map<String, String> line = new TreeMap<>(arguments);
    line.put("do", command);
    OutputStream commands = process.getOutputStream();
    commands.write(Json.write(line));
    commands.write('\n');
    commands.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("the browser ended during " + line);
    }
    JsonNode read = Json.mapper().readTree(answer);
    if (!read.path("ok").asBoolean()) {
      throw new AssertionError(line + ": " + read.path("error").asString(""));
    }
    return read.path("value");
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
