package io.varve.clients.python;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.varve.clients.RunningVarve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs {@code src/test/python} in a virtual environment in {@code target}, with the versions and
 * hashes listed in {@code requirements.txt}. If Python 3 is missing or the packages can't be
 * installed, it fails with the reason; with {@code -Dpython.optional=true} it is skipped instead.
 */
@Tag("system")
class PythonClientTest {

  private static final Path SOURCES = Path.of("src", "test", "python").toAbsolutePath();
  private static final Path VENV = Path.of("target", "python").toAbsolutePath();
  private static final Path PYTHON = VENV.resolve("bin").resolve("python");

  private record Finished(int code, String output) {}

  /** Why the packages are not installed; empty if they are. */
  private static String trouble = "";

  @BeforeAll
  static void install() throws Exception {
    String wanted = Files.readString(SOURCES.resolve("requirements.txt"));
    Path installed = VENV.resolve("installed.txt");
    if (Files.exists(installed) && Files.readString(installed).equals(wanted)) {
      return;
    }
    List<String> venv = List.of("python3", "-m", "venv", "--clear", VENV.toString());
    List<String> packages =
        List.of(
            PYTHON.toString(),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--require-hashes",
            "-r",
            "requirements.txt");
    trouble = trouble(venv);
    if (trouble.isEmpty()) {
      trouble = trouble(packages);
    }
    if (trouble.isEmpty()) {
      Files.writeString(installed, wanted);
    }
  }

  /** Runs the command; returns why it failed, or an empty string. */
  private static String trouble(List<String> command) throws InterruptedException {
    String output;
    try {
      Finished finished = run(SOURCES, command);
      if (finished.code() == 0) {
        return "";
      }
      output = finished.output();
    } catch (IOException e) {
      output = e.toString();
    }
    return "the Python clients were not tested, [%s] failed: %s"
        .formatted(String.join(" ", command), output);
  }

  /** For each test, because Surefire reports nothing of a class that is skipped as a whole. */
  @BeforeEach
  void requirePackages() {
    if (trouble.isEmpty()) {
      return;
    }
    if (Boolean.getBoolean("python.optional")) {
      abort(trouble);
    }
    fail(trouble + "\nInstall python3 and python3-venv, or set -Dpython.optional=true.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"test_helpers", "test_async_client", "test_client"})
  void passes(String module) throws Exception {
    Finished finished =
        run(
            SOURCES,
            List.of(PYTHON.toString(), "-B", "-W", "ignore", "-m", "unittest", "-v", module));

    assertThat(finished.code()).as(finished.output()).isZero();
    assertThat(finished.output()).contains("OK");
  }

  private static Finished run(Path folder, List<String> command)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.put("VARVE_URL", RunningVarve.url());
    RunningVarve.login()
        .ifPresent(login -> {
          environment.put("VARVE_CA", login.authorities().toString());
          environment.put("VARVE_USER", login.user());
          environment.put("VARVE_PASSWORD", login.password());
        });
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (!process.waitFor(10, TimeUnit.MINUTES)) {
      process.destroyForcibly();
    }
    return new Finished(process.waitFor(), output);
  }
}
