package io.varve.control;

import io.varve.cluster.IndexSettings;
import io.varve.cluster.Topics;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.events.StoredManifest;
import io.varve.log.Appends;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics of indices: made before the index is, deleted a while after it is gone.
 *
 * <p>A producer goes on asking for the topics that it wrote to, until it forgets them some time
 * after the last record; a topic that is gone by then makes it complain and ask again and again. So
 * they stay for {@link #STAY}. A deletion that fails is tried again after the same time; what a
 * coordinator leaves undone when it ends, the next leader does.
 */
public final class IndexTopics {

  private static final Logger LOG = LoggerFactory.getLogger(IndexTopics.class);

  /** Longer than a producer remembers. */
  static final Duration STAY = MessageLog.FORGOTTEN_AFTER.plusSeconds(5);

  private final MessageLog log;
  private final Topics topics;
  private final Executor now;
  private final Executor later;

  /**
   * @param later runs what it is given when {@link #STAY} has passed
   */
  IndexTopics(MessageLog log, Topics topics, Executor now, Executor later) {
    this.log = log;
    this.topics = topics;
    this.now = now;
    this.later = later;
  }

  public static IndexTopics of(MessageLog log, Topics topics, Executor blocking) {
    return new IndexTopics(
        log,
        topics,
        blocking,
        CompletableFuture.delayedExecutor(STAY.toMillis(), TimeUnit.MILLISECONDS, blocking));
  }

  /** Blocks until they can be written. Throws 503 when they can't be made. */
  void create(String uuid, int shards) {
    try {
      log.createTopics(
          List.of(topics.operationsSpec(uuid, shards), topics.manifestsSpec(uuid, shards)));
    } catch (LogException e) {
      deleteLater(uuid);
      throw LeaderErrors.unavailable("the index's topics can't be created: " + e.getMessage());
    }
  }

  /** The first records of each shard's manifests say what it begins with. */
  void begin(String uuid, List<StoredManifest> shards) throws InterruptedException {
    try {
      for (StoredManifest stored : shards) {
        PartitionLog manifests = log.open(topics.manifests(uuid), stored.shard().number());
        StoredManifest first = stored.asBeginningOf(uuid);
        Appends.await(manifests, RawRecord.keyed(first.recordKey(), Json.write(first)));
      }
    } catch (LogException e) {
      deleteLater(uuid);
      throw LeaderErrors.unavailable("the index's first manifests: " + e.getMessage());
    }
  }

  void deleteLater(String uuid) {
    later.execute(() -> {
      try {
        log.deleteTopics(List.of(topics.operations(uuid), topics.manifests(uuid)));
      } catch (LogException e) {
        LOG.warn(
            "the topics of {} {} can't be deleted now: {}", IndexSettings.UUID, uuid, e.toString());
        deleteLater(uuid);
      }
    });
  }

  /**
   * Of indices whose deletion is in the log while a former leader ended before their topics did.
   */
  public void deleteLeft(Set<String> deletedIndices) {
    if (deletedIndices.isEmpty()) {
      return;
    }
    now.execute(() -> sweep(deletedIndices));
  }

  private void sweep(Set<String> deletedIndices) {
    try {
      for (String topic : topics.left(log.topics(), deletedIndices)) {
        LOG.info("{} was left behind by a deleted index", topic);
        log.deleteTopic(topic);
      }
    } catch (LogException e) {
      LOG.warn("topics of deleted indices can't be deleted now: {}", e.toString());
      later.execute(() -> sweep(deletedIndices));
    }
  }
}
