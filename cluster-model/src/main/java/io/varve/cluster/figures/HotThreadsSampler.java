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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
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

  /**
   * Takes as long as the query's interval, and longer while others have their turn. Runs on a
   * platform thread of its own, which is not shown: on a virtual one it would be the busiest.
   */
  public String sample(HotThreadsQuery query) throws IOException, InterruptedException {
    FutureTask<String> sampling = new FutureTask<>(() -> sampleInTurn(query));
    Thread thread = Thread.ofPlatform().name("hot-threads").daemon().start(sampling);
    try {
      return sampling.get();
    } catch (ExecutionException e) {
      throw new IOException("the threads could not be watched: " + e.getCause(), e.getCause());
    } finally {
      thread.interrupt();
    }
  }

  private String sampleInTurn(HotThreadsQuery query) throws IOException, InterruptedException {
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
    Duration step = Duration.ofMillis(query.intervalMillis()).dividedBy(query.snapshots());
    List<List<SeenThread>> dumps = new ArrayList<>();
    long self = Thread.currentThread().threadId();
    long began = System.nanoTime();
    Map<Long, Long> before = cpuNanos();
    for (int n = 1; n <= query.snapshots(); n++) {
      Thread.sleep(Duration.ofNanos(began + step.multipliedBy(n).toNanos() - System.nanoTime()));
      dumps.add(dump(file).stream().filter(thread -> thread.id() != self).toList());
    }
    Map<Long, Long> used = cpuNanos();
    used.remove(self);
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
