package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.kafka.FreePorts;
import io.varve.standalone.demo.Demo;
import io.varve.standalone.demo.Down;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code varve demo --follow} and {@code varve down}, as processes. */
@Tag("system")
@Tag("nightly")
class DemoWithFollowerTest {

  private static final int DOCUMENTS = 3_000;
  private static final long ENDS_WITHIN_MINUTES = 6;

  @TempDir private Path folder;

  @Test
  void theDemoPrintsLagAndFinishOfTheFollowerAndDownStopsBoth() throws Exception {
    Path corpus = folder.resolve("corpus.ndjson");
    Files.write(
        corpus,
        IntStream.range(0, DOCUMENTS).mapToObj(n -> "{\"text\":\"page " + n + "\"}").toList());
    int port = FreePorts.next();
    try {
      String printed = run(Demo.class, port, "--follow", "--corpus", corpus.toString());

      assertThat(printed)
          .containsPattern("3.000 acked in")
          .containsPattern("follower +lag p50 \\d+ ms|its lag was not sampled")
          .containsPattern("held all operations \\S+ ms after the last ack");
      try (RestCalls follower = new RestCalls("http://127.0.0.1:" + (port + 100))) {
        follower.call("POST", "/demo/_refresh", "").orThrow();
        assertThat(follower.get("/demo/_count").orThrow().json().path("count").asInt())
            .isEqualTo(DOCUMENTS);
      }
    } finally {
      String stopped = run(Down.class, port);
      assertThat(stopped).containsPattern("(?s)stopped process .*follower.*stopped process ");
    }
  }

  private String run(Class<?> program, int port, String... more)
      throws IOException, InterruptedException {
    Path output = folder.resolve(program.getSimpleName() + ".log");
    List<String> command = ChildJvm.command(program.getName(), "-Xmx512m");
    command.addAll(
        List.of("--data", folder.resolve("demo").toString(), "--port", Integer.toString(port)));
    command.addAll(List.of(more));
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
}
