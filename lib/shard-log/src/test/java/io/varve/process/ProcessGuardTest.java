package io.varve.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with real processes which errors end a process. */
class ProcessGuardTest {

  /** The JVM flags that the launcher and the image use. */
  private static final Path FLAGS =
      Path.of(System.getProperty("basedir", "."), "../..", "jvm.options").normalize();

  @TempDir Path data;

  /** The main class of the test's processes. */
  static final class Victim {
    private static final List<long[]> HELD = new ArrayList<>();

    private Victim() {}

    public static void main(String[] arguments) throws Exception {
      ProcessGuard.install();
      ProcessGuard.dumpInto(Path.of(arguments[1]));
      switch (arguments[0]) {
        case "memory" -> Thread.ofVirtual().name("heartbeat").start(Victim::fillTheHeap);
        case "linkage" ->
            Thread.ofPlatform()
                .start(() -> {
                  throw new NoClassDefFoundError("gone");
                });
        case "exception" -> {
          Thread.ofPlatform()
              .start(() -> {
                throw new IllegalStateException("a defect");
              })
              .join();
          System.exit(0);
        }
        default ->
            Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().unstarted(Victim::waitForNothing));
      }
      System.out.println("ready");
      waitForNothing();
    }

    private static void fillTheHeap() {
      while (true) {
        HELD.add(new long[1 << 16]);
      }
    }

    private static void waitForNothing() {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Process start(String what, String... flags) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx32m");
    command.addAll(Arrays.asList(flags));
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            Victim.class.getName(),
            what,
            data.toString()));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private int status(Process process) throws InterruptedException {
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("it ends").isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void memoryThatRunsOutInAnyThreadEndsTheProcessWithADumpOfTheHeap() throws Exception {
    assertThat(status(start("memory", "@" + FLAGS))).isNotZero();
    assertThat(data.resolve("heap.hprof")).isNotEmptyFile();
  }

  @Test
  void theFirstDumpIsKept() throws Exception {
    Path dump = Files.writeString(data.resolve("heap.hprof"), "of the first failure");
    assertThat(status(start("memory", "@" + FLAGS))).isNotZero();
    assertThat(dump).hasContent("of the first failure");
  }

  @Test
  void aClassThatCannotBeLinkedEndsTheProcess() throws Exception {
    assertThat(status(start("linkage"))).isEqualTo(1);
  }

  @Test
  void anExceptionEndsNoMoreThanItsThread() throws Exception {
    assertThat(status(start("exception"))).isZero();
  }

  @Test
  void aShutdownThatHangsIsCutShort() throws Exception {
    Process process = start("hang", "-D" + ProcessGuard.SHUTDOWN_TIMEOUT + "=100");
    try (BufferedReader output = process.inputReader()) {
      assertThat(output.readLine()).isEqualTo("ready");
      process.destroy();
      assertThat(status(process)).isEqualTo(143);
    }
  }

  @Test
  void theTimeOfAShutdownIsAWholeNumberOfMilliseconds() {
    assertThat(ProcessGuard.shutdownMillis(null)).isEqualTo(30_000);
    assertThat(ProcessGuard.shutdownMillis("5")).isEqualTo(5);
    for (String wrong : List.of("0", "-1", "5s", "1000000000")) {
      assertThatIllegalArgumentException().isThrownBy(() -> ProcessGuard.shutdownMillis(wrong));
    }
  }
}
