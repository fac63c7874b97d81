package io.varve.cluster.figures;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Watches the threads of this process. Thread dumps are those of the JVM, as they alone show
 * virtual threads; one costs some milliseconds for each thousand threads, so requests take turns.
 */
public final class HotThreadsSampler {

  /** Of all services that share a process. */
  private static final ReentrantLock TURN = new ReentrantLock(true);

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final HotSpotDiagnosticMXBean diagnostics =
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
  private final InstantSource clock;

  public HotThreadsSampler(InstantSource clock) {
    this.clock = clock;
  }

  /** Takes as long as the query's interval, and longer while others have their turn. */
  public String sample(HotThreadsQuery query) throws IOException, InterruptedException {
    TURN.lockInterruptibly();
    Path folder = Files.createTempDirectory("hot-threads");
    Path file = folder.resolve("dump.json");
    try {
      return sample(query, file);
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
      TURN.unlock();
    }
  }

  private String sample(HotThreadsQuery query, Path file) throws IOException, InterruptedException {
    Duration pause = Duration.ofMillis(query.intervalMillis()).dividedBy(query.snapshots());
    List<List<SeenThread>> dumps = new ArrayList<>();
    long self = Thread.currentThread().threadId();
    long began = System.nanoTime();
    Map<Long, Long> before = cpuNanos();
    for (int n = 0; n < query.snapshots(); n++) {
      Thread.sleep(pause);
      dumps.add(dump(file).stream().filter(thread -> thread.id() != self).toList());
    }
    Map<Long, Long> used = cpuNanos();
    used.replaceAll((id, nanos) -> nanos - before.getOrDefault(id, 0L));
    return new HotThreads(query, System.nanoTime() - began, dumps).render(clock.instant(), used);
  }

  private List<SeenThread> dump(Path file) throws IOException {
    Files.deleteIfExists(file);
    diagnostics.dumpThreads(file.toString(), ThreadDumpFormat.JSON);
    return SeenThread.parse(Files.readAllBytes(file));
  }

  private Map<Long, Long> cpuNanos() {
    Map<Long, Long> nanos = new HashMap<>();
    for (long id : threads.getAllThreadIds()) {
      nanos.put(id, threads.getThreadCpuTime(id));
    }
    return nanos;
  }
}
