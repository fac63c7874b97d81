package io.varve.clients.python;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.varve.clients.RunningVarve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs {@code src/test/python} in a virtual environment under {@code target}, with the versions of
 * its {@code requirements.txt}. Without Python 3, or when the packages can't be had, it is skipped
 * and says why.
 */
@Tag("system")
@Tag("nightly")
class PythonClientTest {

  private static final Path SOURCES = Path.of("src", "test", "python").toAbsolutePath();
  private static final Path VENV = Path.of("target", "python").toAbsolutePath();
  private static final Path PYTHON = VENV.resolve("bin").resolve("python");

  private record Finished(int code, String output) {}

  @BeforeAll
  static void install() throws Exception {
    assumeTrue(works("python3", "-m", "venv", "--help"), "python3 with venv is not installed");
    String wanted = Files.readString(SOURCES.resolve("requirements.txt"));
    Path installed = VENV.resolve("installed.txt");
    if (Files.exists(installed) && Files.readString(installed).equals(wanted)) {
      return;
    }
    Finished made = run(SOURCES, List.of("python3", "-m", "venv", "--clear", VENV.toString()));
    assumeTrue(made.code() == 0, "no virtual environment: " + made.output());
    Finished got =
        run(
            SOURCES,
            List.of(
                PYTHON.toString(), "-m", "pip", "install", "--quiet", "-r", "requirements.txt"));
    assumeTrue(got.code() == 0, "pip could not install the clients: " + got.output());
    Files.writeString(installed, wanted);
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

  private static boolean works(String... command) throws InterruptedException {
    try {
      return run(SOURCES, List.of(command)).code() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static Finished run(Path folder, List<String> command)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("VARVE_URL", RunningVarve.url());
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (!process.waitFor(10, TimeUnit.MINUTES)) {
      process.destroyForcibly();
    }
    return new Finished(process.waitFor(), output);
  }
}
