package io.varve.standalone.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.kafka.FreePorts;
import io.varve.load.Bench;
import io.varve.standalone.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code bench budget} on a small load. The bench itself fails if the stages do not add up to
 * the CPU time of the processes, or if too little of it was sampled; how fast anything was is not
 * asserted.
 */
@Tag("system")
class BudgetBenchTest {

  private static final String TABLE = "| stage | all | broker-1 | coordinator-1 |";

  @TempDir private Path folder;

  @Test
  void theStagesAddUpToTheProcesses() throws Exception {
    Path output = folder.resolve("bench.log");
    Process bench =
        new ProcessBuilder(command())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      int status = bench.waitFor();

      assertThat(status).as(() -> read(output)).isZero();
      assertThat(read(output)).contains(TABLE, "| document parse |", "| **total** |");
    } finally {
      bench.destroyForcibly().waitFor();
    }
  }

  private List<String> command() throws IOException {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx128m",
        "-Dvarve.home=" + home(),
        "-cp",
        System.getProperty("java.class.path"),
        Bench.class.getName(),
        "budget",
        "--documents",
        "20000",
        "--warm-up",
        "1",
        "--runs",
        "1",
        "--heap",
        "256m",
        "--port",
        Integer.toString(FreePorts.next()));
  }

  /** A home whose launcher starts the cluster of this build without building it. */
  private Path home() throws IOException {
    String java =
        ChildJvm.command(LocalCluster.class.getName()).stream()
            .map(word -> "'" + word + "'")
            .collect(Collectors.joining(" "));
    Path launcher = folder.resolve("varve");
    Files.writeString(launcher, "#!/bin/sh\nshift\nexec " + java + " \"$@\"\n", UTF_8);
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    return folder;
  }

  private static String read(Path output) {
    try {
      return Files.readString(output, UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
