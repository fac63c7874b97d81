package io.varve.engine;

import io.varve.rpc.CopyStats;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergePolicy.OneMergeProgress.PauseReason;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/** Runs merges on one background thread and counts them. */
final class CountingMergeScheduler extends ConcurrentMergeScheduler {

  private static final int MAX_MERGES = 6;

  private final PhaseCounter merges = new PhaseCounter();
  private final LongAdder docs = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder currentDocs = new LongAdder();
  private final LongAdder currentBytes = new LongAdder();
  private final LongAdder pausedNanos = new LongAdder();
  private final LongAdder stoppedNanos = new LongAdder();
  private final LongAdder stalledNanos = new LongAdder();
  private volatile @Nullable Slow slow;
  private int aside;

  /** Rate-limited merges: their rate in bytes per second, and whether to abort them. */
  private record Slow(
      Predicate<MergePolicy.OneMerge> merges, long bytesPerSecond, BooleanSupplier stop) {}

  /** A forced merge. */
  @FunctionalInterface
  interface Forcing {
    void run() throws IOException;
  }

  CountingMergeScheduler() {
    setMaxMergesAndThreads(MAX_MERGES, 1);
    disableAutoIOThrottle();
  }

  @Override
  protected void doMerge(MergeSource source, MergePolicy.OneMerge merge) throws IOException {
    int mergedDocs = merge.totalNumDocs();
    long mergedBytes = merge.totalBytesSize();
    currentDocs.add(mergedDocs);
    currentBytes.add(mergedBytes);
    long began = merges.begin();
    try {
      super.doMerge(source, merge);
    } finally {
      merges.end(began);
      currentDocs.add(-mergedDocs);
      currentBytes.add(-mergedBytes);
      docs.add(mergedDocs);
      bytes.add(mergedBytes);
      Map<PauseReason, Long> pauses = merge.getMergeProgress().getPauseTimes();
      pausedNanos.add(pauses.getOrDefault(PauseReason.PAUSED, 0L));
      stoppedNanos.add(pauses.getOrDefault(PauseReason.STOPPED, 0L));
    }
  }

  /** Runs an action that waits without using the CPU; another merge may run meanwhile. */
  void aside(Runnable waiting) {
    besides(1);
    try {
      waiting.run();
    } finally {
      besides(-1);
    }
  }

  /** Limits the write rate of the action's merges; another merge may run meanwhile. */
  void slowly(
      Predicate<MergePolicy.OneMerge> merges,
      long bytesPerSecond,
      BooleanSupplier stop,
      Forcing forcing)
      throws IOException {
    slow = new Slow(merges, bytesPerSecond, stop);
    besides(1);
    try {
      forcing.run();
    } finally {
      besides(-1);
      slow = null;
    }
  }

  @Override
  public Directory wrapForMerge(MergePolicy.OneMerge merge, Directory in) {
    Directory merged = super.wrapForMerge(merge, in);
    Slow now = slow;
    return now != null && now.merges.test(merge)
        ? new RateLimitedDirectory(merged, now.bytesPerSecond, now.stop)
        : merged;
  }

  private synchronized void besides(int more) {
    aside += more;
    setMaxMergesAndThreads(MAX_MERGES + aside, 1 + aside);
    updateMergeThreads();
  }

  /** Indexing threads wait here while too many merges are pending. */
  @Override
  protected synchronized void doStall() {
    long began = System.nanoTime();
    super.doStall();
    stalledNanos.add(System.nanoTime() - began);
  }

  long stalledMillis() {
    return stalledNanos.sum() / 1_000_000;
  }

  CopyStats.Merges read() {
    return new CopyStats.Merges(
        merges.read(),
        new CopyStats.Volume(Math.max(0, currentDocs.sum()), Math.max(0, currentBytes.sum())),
        new CopyStats.Volume(docs.sum(), bytes.sum()),
        pausedNanos.sum() / 1_000_000,
        stoppedNanos.sum() / 1_000_000,
        CopyStats.Ahead.NONE);
  }
}
