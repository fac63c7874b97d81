package io.varve.clients;

import io.varve.kafka.FreePorts;
import io.varve.standalone.Readiness;
import io.varve.standalone.Standalone;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The Varve that all tests of a JVM share: started for the first test that needs it, or already
 * running at {@code -Dvarve.url}.
 */
public final class RunningVarve {

  private static final Duration READY_WITHIN = Duration.ofMinutes(5);

  /** Long timeouts, so that no node leaves the cluster only because the machine is slow. */
  private static final List<String> PATIENT =
      List.of("--varve.node.timeout-millis=60000", "--varve.leader.timeout-millis=60000");

  private RunningVarve() {}

  private static final class Holder {
    static final String URL = start();
  }

  public static String url() {
    return Holder.URL;
  }

  /**
   * Returns the used heap after a garbage collection, or 0 if Varve runs in another process, so
   * that comparisons always succeed.
   */
  public static long heapAfterCollection() {
    if (System.getProperty("varve.url") != null) {
      return 0;
    }
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  private static String start() {
    String given = System.getProperty("varve.url");
    if (given != null) {
      return given;
    }
    try {
      Path data = Files.createTempDirectory("varve-clients");
      Standalone standalone =
          Standalone.start(
              new Standalone.Settings(data.resolve("data"), FreePorts.next(), "os", PATIENT));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(standalone, data)));
      if (!Readiness.awaitGreen(standalone.url(), Standalone.NODES, READY_WITHIN, () -> true)) {
        throw new IllegalStateException("not green within " + READY_WITHIN);
      }
      return standalone.url();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while starting", e);
    } catch (Exception e) {
      throw new IllegalStateException("could not start", e);
    }
  }

  private static void end(Standalone standalone, Path data) {
    standalone.close();
    try (Stream<Path> walked = Files.walk(data)) {
      List<Path> files = walked.sorted(Comparator.reverseOrder()).toList();
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.err.println("left behind: " + data + ": " + e);
    }
  }
}
