package io.varve.coordinator.rest.document;

import io.varve.client.Abort;
import io.varve.client.CopyAddress;
import io.varve.client.PrimaryCalls;
import io.varve.client.ShardClient.BulkAnswer;
import io.varve.client.ShardClient.BulkCall;
import io.varve.client.ShardClient.BulkPart;
import io.varve.coordinator.rest.task.Task;
import io.varve.rpc.BulkWire;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch that is being sent to its shard's primary. An attempt has one of these outcomes:
 *
 * <pre>
 *   results       each item has a result, except items rejected by a newer fence, which stay open
 *   not written   no connection could be made, or the node is not the primary of this term: all
 *                 items stay open
 *   refused       all items have failed
 *   unknown       the primary reports an unknown outcome: all items have failed with
 *                 {@value WriteResult#UNKNOWN_OUTCOME}
 *   unanswered    the connection broke, the time is over, or the primary does not respond and
 *                 was replaced (see {@link PrimaryCalls}): as unknown, but items to which
 *                 {@link RepeatedWrite} applies stay open for the primary of a newer term
 * </pre>
 *
 * <p>Used by one thread at a time, which passes it to the next one.
 */
final class ShardPart {

  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 1000;

  private final ShardBatch batch;
  private final @Nullable Task task;
  private long version;
  private WritePlace.Ready place = new WritePlace.Ready(List.of(), 0);
  private int attempts;
  private long pauseMillis = FIRST_PAUSE_MILLIS;
  private List<WriteItem> sent = List.of();
  private PrimaryCalls.@Nullable Pending pending;

  /**
   * @param task of the write of this batch, null for none
   */
  ShardPart(ShardBatch batch, @Nullable Task task) {
    this.batch = batch;
    this.task = task;
  }

  ShardBatch batch() {
    return batch;
  }

  @Nullable Task task() {
    return task;
  }

  /** Records the targets of the batch, according to the cluster state of this version. */
  void placed(WritePlace.Ready newPlace, long stateVersion) {
    place = newPlace;
    version = stateVersion;
    attempts = 0;
  }

  /** The version of the cluster state by which the batch was placed. */
  long version() {
    return version;
  }

  /** The primary of the next attempt, or of the present one. */
  PrimaryTarget target() {
    return place.targets().get(attempts);
  }

  CopyAddress primary() {
    return target().copy();
  }

  String nodeId() {
    return primary().node().nodeId();
  }

  /** The approximate size of the items that are sent. */
  long sizeBytes() {
    return BulkWire.sizeBytes(batch.unwritten());
  }

  /** Begins an attempt at {@link #target}. */
  BulkPart begin(PrimaryCalls calls) {
    Abort abort = new Abort();
    sent = batch.unwritten();
    pending = calls.ofTerm(primary().shard(), target().term(), abort);
    String parent = task == null ? null : task.id().toString();
    return new BulkPart(primary(), new BulkCall(target().term(), sent, parent, abort));
  }

  /** The attempt has ended, or was abandoned. */
  void end() {
    PrimaryCalls.Pending call = pending;
    if (call != null) {
      call.close();
      pending = null;
    }
  }

  /** The present attempt, which repeats one that was not answered, with its results. */
  RepeatedReads.Repetition repetition(List<WriteResult> results) {
    return new RepeatedReads.Repetition(sent, results, batch.unansweredReason());
  }

  /** Records the outcome of the attempt. Returns the reason why items are open, if any are. */
  String record(BulkAnswer answer) {
    return switch (answer) {
      case BulkAnswer.Results(var results) -> {
        batch.answered(results, place.started());
        yield "another primary took over";
      }
      case BulkAnswer.Refused(ErrorBody error) -> {
        batch.refused(batch.isUnanswered() ? unknown(error.reason()) : error);
        yield error.reason();
      }
      case BulkAnswer.Unknown(String reason, boolean answered) -> {
        if (answered) {
          batch.refused(unknown(reason));
        } else {
          batch.unanswered(target().term(), reason);
        }
        yield reason;
      }
      case BulkAnswer.NotWritten(ErrorBody error) -> error.reason();
    };
  }

  private ErrorBody unknown(String reason) {
    return batch.isUnanswered()
        ? RepeatedWrite.unknown(batch.unansweredReason(), "repeated: " + reason)
        : RepeatedWrite.unknown(reason);
  }

  /** Whether there is another primary to which open items are sent immediately. */
  boolean next() {
    if (attempts + 1 < place.targets().size()) {
      attempts++;
      return true;
    }
    return false;
  }

  /** The longest wait before the batch is placed again; twice as long after each time. */
  long pauseMillis() {
    long pause = pauseMillis;
    pauseMillis = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    return pause;
  }
}
