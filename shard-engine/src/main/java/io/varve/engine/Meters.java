package io.varve.engine;

import java.util.concurrent.atomic.LongAdder;

/** What happened in a copy, counted; read as {@link EngineStats.Counters}. */
final class Meters {

  final LongAdder indexed = new LongAdder();
  final LongAdder deleted = new LongAdder();
  final LongAdder skipped = new LongAdder();
  final LongAdder indexNanos = new LongAdder();
  final LongAdder gets = new LongAdder();
  final LongAdder getsFound = new LongAdder();
  final LongAdder getNanos = new LongAdder();
  final LongAdder refreshes = new LongAdder();
  final LongAdder refreshNanos = new LongAdder();
  final LongAdder commits = new LongAdder();
  final LongAdder commitNanos = new LongAdder();
  final LongAdder searches = new LongAdder();
  final LongAdder searchNanos = new LongAdder();

  EngineStats.Counters read() {
    return read(0, 0, 0, 0, 0);
  }

  EngineStats.Counters read(CountingMergeScheduler merges) {
    return read(
        merges.merges.sum(),
        merges.mergeThreadCount(),
        merges.docs.sum(),
        merges.bytes.sum(),
        merges.nanos.sum());
  }

  private EngineStats.Counters read(
      long merges, long currentMerges, long mergedDocs, long mergedBytes, long mergeNanos) {
    return new EngineStats.Counters(
        indexed.sum(),
        deleted.sum(),
        skipped.sum(),
        indexNanos.sum(),
        gets.sum(),
        getsFound.sum(),
        getNanos.sum(),
        refreshes.sum(),
        refreshNanos.sum(),
        commits.sum(),
        commitNanos.sum(),
        merges,
        currentMerges,
        mergedDocs,
        mergedBytes,
        mergeNanos,
        searches.sum(),
        searchNanos.sum());
  }
}
