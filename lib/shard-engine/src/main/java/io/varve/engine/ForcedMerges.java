package io.varve.engine;

import io.varve.codec.ReencodingMergePolicy;
import io.varve.rpc.ApiException;
import io.varve.rpc.MergeWish;
import io.varve.rpc.Reencoded;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.MergePolicy;

/**
 * Merges that somebody asks for, and segments that are written anew because they are not encoded as
 * the settings say. One at a time: Lucene knows of one wish only. While a segment is written anew,
 * slowly, a merge that is due runs beside it.
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

  /** Merges as wished and waits for it. */
  void merge(MergeWish wish) throws IOException {
    refuseWhenUnmergeable();
    if (wish.onlyExpungeDeletes()) {
      writer.forceMergeDeletes(true);
    } else if (wish.maxSegments() == MergeWish.AS_DUE) {
      writer.maybeMerge();
    } else {
      forced(wish.maxSegments());
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
   * Writes one segment anew, of that many bytes in a second, and waits for it. When it is to stop,
   * the segment stays as it was.
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
          "nothing is merged here, every file was found good after a read of it had failed: "
              + unmergeable.get());
    }
  }
}
