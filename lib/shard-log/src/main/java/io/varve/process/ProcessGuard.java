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
 * What the main method of a service installs first: a {@linkplain FatalErrors fatal error} in any
 * thread ends the process, a dump of the heap goes to the data folder, and a shutdown that hangs is
 * cut short.
 *
 * <p>The flags in {@code jvm.options} end the process too when memory runs out, from within the JVM
 * and wherever that happens. This is for the other errors: code of the process itself can't be
 * relied on to run when there is no memory for it.
 */
public final class ProcessGuard {

  /** Names the longest time that a shutdown may take. */
  public static final String SHUTDOWN_TIMEOUT = "varve.shutdown-timeout-millis";

  private static final Logger LOG = LoggerFactory.getLogger(ProcessGuard.class);
  private static final long DEFAULT_SHUTDOWN_MILLIS = 30_000;

  /** As for a process that SIGTERM ended. */
  private static final int STATUS_CUT_SHORT = 143;

  /** One file: the JVM keeps the first dump, so that a process that fails again fills no disk. */
  private static final String DUMP = "heap.hprof";

  private ProcessGuard() {}

  /** For the first line of a main method. */
  public static void install() {
    FatalErrors.endBy(Runtime.getRuntime()::halt);
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
      FatalErrors.endOn(failure);
      LOG.error("the thread [{}] ended by an exception", thread.getName(), failure);
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
            // Nobody counts it down: a process that ends in time takes this thread with it.
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

  /** The dump of the heap goes into that folder, as {@value #DUMP}. */
  public static void dumpInto(Path data) {
    HotSpotDiagnosticMXBean flags =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    try {
      flags.setVMOption("HeapDumpOnOutOfMemoryError", "true");
      flags.setVMOption("HeapDumpPath", data.resolve(DUMP).toAbsolutePath().toString());
    } catch (IllegalArgumentException e) {
      LOG.warn("no dump of the heap will be written: {}", e.getMessage());
    }
  }
}
