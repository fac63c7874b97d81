package io.varve.testkit.sim;

import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.log.FencedTail;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.log.TermFence.Verdict;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * {@code FencedReplay} and {@code FencedTail} without the fence's rule. Used only in mutated
 * histories.
 */
final class CarelessReader {

  private CarelessReader() {}

  private static boolean accepts(Verdict verdict, Set<Mutation> mutations) {
    return switch (verdict) {
      case ACCEPTED -> true;
      case STALE_TERM -> mutations.contains(Mutation.ACCEPT_STALE_TERMS);
      case OUT_OF_SEQUENCE -> mutations.contains(Mutation.SKIP_DENSITY);
      case FENCE_WON, FENCE_LOST, REVIVED -> false;
    };
  }

  static Verdict upTo(
      PartitionLog log,
      long fromOffset,
      long lastOffset,
      TermFence fence,
      Set<Mutation> mutations,
      Consumer<StoredRecord> accepted)
      throws LogException {
    Verdict[] last = {Verdict.FENCE_LOST};
    log.read(
        fromOffset,
        lastOffset + 1,
        stored -> {
          last[0] = fence.judge(RecordHeader.read(stored.record().header()));
          if (accepts(last[0], mutations)) {
            accepted.accept(stored);
          }
        });
    return last[0];
  }

  static PartitionLog.Subscription follow(
      PartitionLog log,
      long fromOffset,
      TermFence fence,
      Set<Mutation> mutations,
      FencedTail.Listener listener) {
    return log.subscribe(
        fromOffset,
        new PartitionLog.BatchListener() {
          @Override
          public void records(List<StoredRecord> batch) {
            List<StoredRecord> taken =
                batch.stream()
                    .filter(stored ->
                        accepts(
                            fence.judge(RecordHeader.read(stored.record().header())), mutations))
                    .toList();
            listener.accepted(taken, batch.getLast().offset() + 1, fence.term());
          }

          @Override
          public void lost(LogException.OutOfRange reason) {
            listener.lost(reason);
          }
        });
  }
}
