package io.varve.cluster.stats;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Samples the threads of this process by thread dumps of the JVM, which include mounted virtual
 * threads. A dump takes some milliseconds per thousand threads, so requests are serialized.
 *
 * <p>The dumps are those of {@code Thread.print}, made at a safepoint. {@code
 * HotSpotDiagnosticMXBean.dumpThreads} would also show parked virtual threads, but in JDK 25 it
 * crashes the JVM with SIGSEGV when a virtual thread is unmounted during the dump.
 */
public final class HotThreadsSampler {

  /** Shared by all services of a process. */
  private static final ReentrantLock TURN = new ReentrantLock(true);

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Pause pause;

  /** Waits between two thread dumps. */
  @FunctionalInterface
  interface Pause {
    void await(Duration time) throws InterruptedException;
  }

  public HotThreadsSampler(InstantSource clock) {
    this(clock, System::nanoTime, Thread::sleep);
  }

  HotThreadsSampler(InstantSource clock, LongSupplier nanoTime, Pause pause) {
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.pause = pause;
  }

  /**
   * Takes as long as the query's interval, and longer while other requests run. Samples on a
   * platform thread that is excluded from the result: on a virtual thread it would be the busiest.
   */
  public String sample(HotThreadsQuery query) throws IOException, InterruptedException {
    FutureTask<String> sampling = new FutureTask<>(() -> sampleInTurn(query));
    Thread thread = Thread.ofPlatform().name("hot-threads").daemon().start(sampling);
    try {
      return sampling.get();
    } catch (ExecutionException e) {
      throw new IOException("the threads could not be sampled: " + e.getCause(), e.getCause());
    } finally {
      thread.interrupt();
    }
  }

  private String sampleInTurn(HotThreadsQuery query) throws InterruptedException {
    TURN.lockInterruptibly();
    try {
      return sampleNow(query);
    } finally {
      TURN.unlock();
    }
  }

  private String sampleNow(HotThreadsQuery query) throws InterruptedException {
    Duration step = Duration.ofMillis(query.intervalMillis()).dividedBy(query.snapshots());
    List<List<SeenThread>> dumps = new ArrayList<>();
    long self = Thread.currentThread().threadId();
    long began = nanoTime.getAsLong();
    Map<Long, Long> before = cpuNanos();
    for (int n = 1; n <= query.snapshots(); n++) {
      pause.await(Duration.ofNanos(began + step.multipliedBy(n).toNanos() - nanoTime.getAsLong()));
      dumps.add(dump().stream().filter(thread -> thread.id() != self).toList());
    }
    Map<Long, Long> used = cpuNanos();
    used.remove(self);
    used.replaceAll((id, nanos) -> nanos - before.getOrDefault(id, 0L));
    return new HotThreads(query, nanoTime.getAsLong() - began, dumps).render(clock.instant(), used);
  }

  private static List<SeenThread> dump() {
    try {
      return SeenThread.parse(
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      ObjectName.getInstance("com.sun.management:type=DiagnosticCommand"),
                      "threadPrint",
                      new Object[] {new String[0]},
                      new String[] {String[].class.getName()}));
    } catch (JMException e) {
      throw new IllegalStateException("this JVM can't print thread dumps", e);
    }
  }

  private Map<Long, Long> cpuNanos() {
    Map<Long, Long> nanos = new HashMap<>();
    for (long id : threads.getAllThreadIds()) {
      nanos.put(id, threads.getThreadCpuTime(id));
    }
    return nanos;
  }
}
