package io.varve.replication.replica;

import io.varve.engine.EngineException;
import io.varve.engine.SegmentEngine;
import io.varve.events.ShardId;
import io.varve.process.FatalErrors;
import io.varve.store.Joining;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the files of a segment replica durable on a separate thread, so that no round waits for the
 * disk. {@link CopyRounds} decides when. After a restart, durable files are trusted without being
 * read.
 *
 * <p>INVARIANT: one sync at a time.
 */
final class FileSync {

  private static final Logger LOG = LoggerFactory.getLogger(FileSync.class);

  private final ShardId shard;
  private final SegmentEngine engine;
  private final CopyRounds rounds;
  private final ReplicaStats stats;
  private final Consumer<String> failed;
  private @Nullable Thread thread;

  /**
   * @param failed called with the reason if the copy cannot continue
   */
  FileSync(
      ShardId shard,
      SegmentEngine engine,
      CopyRounds rounds,
      ReplicaStats stats,
      Consumer<String> failed) {
    this.shard = shard;
    this.engine = engine;
    this.rounds = rounds;
    this.stats = stats;
    this.failed = failed;
  }

  void begin() {
    thread = Thread.ofVirtual().name("sync-" + shard).start(this::run);
  }

  void awaitEnd() {
    Thread running = thread;
    if (running != null) {
      Joining.uninterruptibly(List.of(running));
    }
  }

  private void run() {
    boolean durable = false;
    try {
      durable = sync();
    } catch (RuntimeException | Error e) {
      FatalErrors.endOn(e);
      LOG.error("{} can't make its files durable", shard, e);
      failed.accept(e.toString());
    } finally {
      rounds.synced(durable);
    }
  }

  private boolean sync() {
    try {
      engine.sync();
      stats.synced();
      return true;
    } catch (EngineException e) {
      LOG.warn("{} could not make its files durable; a restart verifies them", shard, e);
      return false;
    }
  }
}
