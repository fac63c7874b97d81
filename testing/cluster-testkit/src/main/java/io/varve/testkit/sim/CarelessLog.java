package io.varve.testkit.sim;

import io.varve.events.RawRecord;
import io.varve.log.DelegatingLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;

/**
 * A writer's log that violates assumptions of {@code FencedWriter} without its knowledge. Used only
 * in mutated histories.
 *
 * <pre>
 *   ACK_WITHOUT_FENCE_CHECK         reports consecutive offsets although others wrote in between
 *   ACK_BEFORE_THE_APPEND_IS_KNOWN  the same, and reports each offset as soon as the record is sent
 *   ACK_ON_A_GAP                    reports the expected offset if the log lost its tail
 * </pre>
 */
final class CarelessLog extends DelegatingLog {

  private final boolean eager;
  private final boolean onlyBackward;
  private long nextOffset = -1;

  private CarelessLog(PartitionLog log, boolean eager, boolean onlyBackward) {
    super(log);
    this.onlyBackward = onlyBackward;
    this.eager = eager;
  }

  /** The log itself unless the world has one of these mutations. */
  static PartitionLog of(PartitionLog log, World world) {
    boolean eager = world.mutated(Mutation.ACK_BEFORE_THE_APPEND_IS_KNOWN);
    boolean onlyBackward = world.mutated(Mutation.ACK_ON_A_GAP);
    return eager || onlyBackward || world.mutated(Mutation.ACK_WITHOUT_FENCE_CHECK)
        ? new CarelessLog(log, eager, onlyBackward)
        : log;
  }

  @Override
  public void append(RawRecord record, AppendCallback callback) throws LogException.Full {
    boolean fence = nextOffset < 0;
    boolean answered = eager && !fence;
    super.append(
        record,
        new AppendCallback() {
          @Override
          public void appended(long offset, long timestampMillis) {
            if (!answered) {
              nextOffset =
                  nextOffset < 0 || (onlyBackward && offset > nextOffset) ? offset : nextOffset;
              callback.appended(nextOffset++, timestampMillis);
            }
          }

          @Override
          public void unknown(String reason) {
            if (!answered) {
              callback.unknown(reason);
            }
          }
        });
    if (answered) {
      callback.appended(nextOffset++, 0);
    }
  }
}
