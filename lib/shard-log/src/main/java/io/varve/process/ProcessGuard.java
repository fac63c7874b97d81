package io.varve.process;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installed first by the main method of a service: a {@linkplain FatalErrors fatal error} in any
 * thread ends the process, heap dumps are written to the data folder, and a shutdown that hangs is
 * halted.
 *
 * <p>The flags in {@code jvm.options} also end the process when memory runs out, from within the
 * JVM. This class covers the other errors: code of the process itself can't be relied on to run
 * without free memory.
 */
public final class ProcessGuard {

  /** System property: the time limit of a shutdown. */
  public static final String SHUTDOWN_TIMEOUT = "varve.shutdown-timeout-millis";

  private static final Logger LOG = LoggerFactory.getLogger(ProcessGuard.class);
  private static final long DEFAULT_SHUTDOWN_MILLIS = 30_000;

  /** The exit status of a process ended by SIGTERM. */
  private static final int STATUS_CUT_SHORT = 143;

  /** A single file name: the JVM keeps the first dump, so repeated failures don't fill the disk. */
  private static final String DUMP = "heap.hprof";

  private ProcessGuard() {}

  /** Call this on the first line of a main method. */
  public static void install() {
    FatalErrors.endBy(Runtime.getRuntime()::halt);
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
      FatalErrors.endOn(failure);
      LOG.error("the thread [{}] ended with an exception", thread.getName(), failure);
    });
    Duration longest = Duration.ofMillis(shutdownMillis(System.getProperty(SHUTDOWN_TIMEOUT)));
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> haltAfter(longest)));
  }

  static long shutdownMillis(@Nullable String text) {
    if (text == null) {
      return DEFAULT_SHUTDOWN_MILLIS;
    }
    if (!text.matches("\\d{1,9}") || Integer.parseInt(text) < 1) {
      throw new IllegalArgumentException(
          SHUTDOWN_TIMEOUT + " must be 1 to 999999999 milliseconds, was [" + text + "]");
    }
    return Integer.parseInt(text);
  }

  private static void haltAfter(Duration longest) {
    Thread.ofPlatform()
        .daemon()
        .name("shutdown-watch")
        .start(() -> {
          try {
            // Never counted down: if the process ends in time, this daemon thread ends with it.
            if (!new CountDownLatch(1).await(longest.toMillis(), TimeUnit.MILLISECONDS)) {
              System.err.println(
                  "varve: the shutdown took longer than " + longest.toMillis() + " ms, halting");
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } finally {
            Runtime.getRuntime().halt(STATUS_CUT_SHORT);
          }
        });
  }

  /** Sets the folder for heap dumps, which are named {@value #DUMP}. */
  public static void dumpInto(Path data) {
    HotSpotDiagnosticMXBean flags =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    try {
      flags.setVMOption("HeapDumpOnOutOfMemoryError", "true");
      flags.setVMOption("HeapDumpPath", data.resolve(DUMP).toAbsolutePath().toString());
    } catch (IllegalArgumentException e) {
      LOG.warn("no heap dump will be written: {}", e.getMessage());
    }
  }
}
