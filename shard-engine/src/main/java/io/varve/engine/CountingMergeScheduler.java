package io.varve.engine;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.MergePolicy;

/** Merges in the background on one thread, and counts. */
final class CountingMergeScheduler extends ConcurrentMergeScheduler {

  private static final int MAX_MERGES = 6;

  final LongAdder merges = new LongAdder();
  final LongAdder docs = new LongAdder();
  final LongAdder bytes = new LongAdder();
  final LongAdder nanos = new LongAdder();

  CountingMergeScheduler() {
    setMaxMergesAndThreads(MAX_MERGES, 1);
    disableAutoIOThrottle();
  }

  @Override
  protected void doMerge(MergeSource source, MergePolicy.OneMerge merge) throws IOException {
    long began = System.nanoTime();
    try {
      super.doMerge(source, merge);
    } finally {
      merges.increment();
      docs.add(merge.totalNumDocs());
      bytes.add(merge.totalBytesSize());
      nanos.add(System.nanoTime() - began);
    }
  }
}
