package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.kafka.FreePorts;
import io.varve.standalone.demo.Demo;
import io.varve.standalone.demo.Down;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code varve demo --secured}, as a process: the commands that it prints log in as the user admin,
 * and nobody gets in without.
 */
@Tag("system")
@Tag("nightly")
class SecuredDemoTest {

  private static final int DOCUMENTS = 100;
  private static final long ENDS_WITHIN_MINUTES = 6;

  @TempDir private Path folder;

  @Test
  void thePrintedCommandLogsInAndNobodyElseDoes() throws Exception {
    Path corpus = folder.resolve("corpus.ndjson");
    Files.write(
        corpus,
        IntStream.range(0, DOCUMENTS).mapToObj(n -> "{\"text\":\"manifest " + n + "\"}").toList());
    int port = FreePorts.next();
    try {
      String printed = run(Demo.class, port, "--secured", "--corpus", corpus.toString());

      String search =
          printed
              .lines()
              .map(String::strip)
              .filter(line -> line.startsWith("curl ") && line.contains("/_search"))
              .findFirst()
              .orElseThrow();
      assertThat(shell(search)).contains("\"hits\"").contains("manifest");
      String anonymous = search.replaceFirst(" -u \"[^\"]*\"", "");
      assertThat(anonymous).isNotEqualTo(search);
      assertThat(shell(anonymous + " -o /dev/null -w '%{http_code}'")).isEqualTo("401");
    } finally {
      assertThat(run(Down.class, port)).contains("stopped process ");
    }
  }

  private String run(Class<?> program, int port, String... more)
      throws IOException, InterruptedException {
    List<String> command = ChildJvm.command(program.getName(), "-Xmx512m");
    command.addAll(
        List.of("--data", folder.resolve("demo").toString(), "--port", Integer.toString(port)));
    command.addAll(List.of(more));
    Path output = folder.resolve(program.getSimpleName() + ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(ENDS_WITHIN_MINUTES, TimeUnit.MINUTES)).isTrue();
    String printed = Files.readString(output);
    assertThat(process.exitValue()).as(printed).isZero();
    return printed;
  }

  private static String shell(String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("bash", "-c", command.replaceFirst("^curl", "curl --silent")).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(command).isZero();
    return text;
  }
}
