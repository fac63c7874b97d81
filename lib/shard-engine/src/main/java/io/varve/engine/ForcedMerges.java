package io.varve.engine;

import io.varve.codec.ReencodingMergePolicy;
import io.varve.rpc.ApiException;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.Reencoded;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.MergePolicy;

/**
 * Runs force merges, and rewrites segments that are not encoded according to the settings. Only one
 * runs at a time, because Lucene supports a single forced merge. While a segment is rewritten at a
 * limited rate, regular merges continue.
 */
final class ForcedMerges {

  private final IndexWriter writer;
  private final ReencodingMergePolicy policy;
  private final CountingMergeScheduler scheduler;
  private final Optional<String> unmergeable;
  private final ReentrantLock forcing = new ReentrantLock();

  ForcedMerges(
      IndexWriter writer,
      ReencodingMergePolicy policy,
      CountingMergeScheduler scheduler,
      Optional<String> unmergeable) {
    this.writer = writer;
    this.policy = policy;
    this.scheduler = scheduler;
    this.unmergeable = unmergeable;
  }

  /** Runs a force merge and waits for it. */
  void merge(ForceMergeRequest request) throws IOException {
    refuseWhenUnmergeable();
    if (request.onlyExpungeDeletes()) {
      writer.forceMergeDeletes(true);
    } else if (request.maxSegments() == ForceMergeRequest.AS_DUE) {
      writer.maybeMerge();
    } else {
      forced(request.maxSegments());
    }
  }

  private void forced(int maxSegments) throws IOException {
    forcing.lock();
    try {
      writer.forceMerge(maxSegments, true);
    } finally {
      forcing.unlock();
    }
  }

  /**
   * Rewrites one segment at this many bytes per second and waits for it. If it is stopped, the
   * segment is unchanged.
   */
  Reencoded reencode(long bytesPerSecond, BooleanSupplier stop) throws IOException {
    refuseWhenUnmergeable();
    forcing.lock();
    try (ReencodingMergePolicy.Turn turn = policy.begin()) {
      try {
        scheduler.slowly(
            turn::isFor, bytesPerSecond, stop, () -> writer.forceMerge(Integer.MAX_VALUE, true));
      } catch (IOException e) {
        if (e.getCause() instanceof MergePolicy.MergeAbortedException && stop.getAsBoolean()) {
          return new Reencoded(0, 0, turn.left() + 1);
        }
        throw e;
      }
      return new Reencoded(turn.found() ? 1 : 0, turn.bytes(), turn.left());
    } finally {
      forcing.unlock();
    }
  }

  private void refuseWhenUnmergeable() {
    if (unmergeable.isPresent()) {
      throw new ApiException(
          409,
          "illegal_state_exception",
          "this copy must not merge, because reads failed although all files are intact: "
              + unmergeable.get());
    }
  }
}
