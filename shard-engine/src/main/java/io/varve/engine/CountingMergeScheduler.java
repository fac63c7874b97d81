package io.varve.engine;

import io.varve.rpc.CopyStats;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergePolicy.OneMergeProgress.PauseReason;

/** Merges in the background on one thread, and counts. */
final class CountingMergeScheduler extends ConcurrentMergeScheduler {

  private static final int MAX_MERGES = 6;

  private final Tally merges = new Tally();
  private final LongAdder docs = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder currentDocs = new LongAdder();
  private final LongAdder currentBytes = new LongAdder();
  private final LongAdder pausedNanos = new LongAdder();
  private final LongAdder stoppedNanos = new LongAdder();
  private final LongAdder stalledNanos = new LongAdder();

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

  /** Who flushes waits here while too many merges are behind. */
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
        stoppedNanos.sum() / 1_000_000);
  }
}
