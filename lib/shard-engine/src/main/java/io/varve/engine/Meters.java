package io.varve.engine;

import io.varve.rpc.CopyStats;
import io.varve.rpc.WriteItem;
import java.util.concurrent.atomic.LongAdder;

/** The operation counters of a copy, read as {@link EngineStats.Counters}. */
final class Meters {

  final PhaseCounter index = new PhaseCounter();
  final PhaseCounter delete = new PhaseCounter();
  final LongAdder skipped = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder noops = new LongAdder();
  final LongAdder currentGets = new LongAdder();
  final PhaseCounter getsFound = new PhaseCounter();
  final PhaseCounter getsMissing = new PhaseCounter();
  final PhaseCounter refreshes = new PhaseCounter();
  final PhaseCounter lookupRefreshes = new PhaseCounter();
  final PhaseCounter commits = new PhaseCounter();
  final PhaseCounter warms = new PhaseCounter();
  final SearchMeters searches = new SearchMeters();

  /** Counts a resolved write. */
  void resolved(WriteItem item, Resolution resolution) {
    if (resolution instanceof Resolution.Noop) {
      noops.increment();
    } else if (resolution instanceof Resolution.Rejected && item.kind() != WriteItem.Kind.DELETE) {
      failed.increment();
    }
  }

  void got(boolean found, long began) {
    currentGets.decrement();
    (found ? getsFound : getsMissing).add(System.nanoTime() - began);
  }

  /** The counters of a copy that receives its segments and therefore never merges. */
  EngineStats.Counters read() {
    return read(CopyStats.Merges.NONE, 0);
  }

  EngineStats.Counters read(CountingMergeScheduler merges) {
    return read(merges.read(), merges.stalledMillis());
  }

  private EngineStats.Counters read(CopyStats.Merges merges, long stalledMillis) {
    return new EngineStats.Counters(
        new EngineStats.Writes(
            index.read(), delete.read(), skipped.sum(), failed.sum(), noops.sum(), stalledMillis),
        new CopyStats.Gets(getsFound.read(), getsMissing.read(), Math.max(0, currentGets.sum())),
        searches.read(),
        new EngineStats.Upkeep(
            refreshes.read(), lookupRefreshes.read(), warms.read(), commits.read(), merges));
  }
}
