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
 * Creates the topics of an index before the index is created, and deletes them some time after the
 * index is deleted.
 *
 * <p>A producer refreshes the metadata of a topic until the topic has been idle for some time, and
 * logs warnings if the topic was deleted before that. Topics are therefore kept for {@link
 * #RETENTION}. A failed deletion is retried after the same time. The next leader performs the
 * deletions that a coordinator did not complete.
 */
public final class IndexTopics {

  private static final Logger LOG = LoggerFactory.getLogger(IndexTopics.class);

  /** Longer than a producer keeps the metadata of an idle topic. */
  static final Duration RETENTION = MessageLog.FORGOTTEN_AFTER.plusSeconds(5);

  private final MessageLog log;
  private final Topics topics;
  private final Executor now;
  private final Executor later;

  /**
   * @param later runs tasks after {@link #RETENTION}
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
        CompletableFuture.delayedExecutor(RETENTION.toMillis(), TimeUnit.MILLISECONDS, blocking));
  }

  /** Blocks until the topics are writable. Throws 503 when they can't be created. */
  void create(String uuid, int shards) {
    try {
      log.createTopics(
          List.of(topics.operationsSpec(uuid, shards), topics.manifestsSpec(uuid, shards)));
    } catch (LogException e) {
      deleteLater(uuid);
      throw LeaderErrors.unavailable("the index's topics can't be created: " + e.getMessage());
    }
  }

  /**
   * Creates the topic for the operations that a former leader index accepted after its fork. It is
   * not deleted if the failback does not begin, because it may have content from an earlier one.
   */
  void createQuarantine(String formerUuid, int shards) {
    try {
      log.createTopics(List.of(topics.quarantineSpec(formerUuid, shards)));
    } catch (LogException e) {
      throw LeaderErrors.unavailable("the quarantine topic can't be created: " + e.getMessage());
    }
  }

  /** Writes the first manifest of each shard, which defines the shard's initial content. */
  void begin(String uuid, List<StoredManifest> shards) throws InterruptedException {
    try {
      for (StoredManifest stored : shards) {
        PartitionLog manifests = log.open(topics.manifests(uuid), stored.shard().number());
        StoredManifest first = stored.asBeginningOf(uuid);
        Appends.await(manifests, RawRecord.keyed(first.recordKey(), Json.write(first)));
      }
    } catch (LogException e) {
      deleteLater(uuid);
      throw LeaderErrors.unavailable(
          "the index's first manifests can't be written: " + e.getMessage());
    }
  }

  void deleteLater(String uuid) {
    later.execute(() -> {
      try {
        log.deleteTopics(List.of(topics.operations(uuid), topics.manifests(uuid)));
      } catch (LogException e) {
        LOG.warn(
            "the topics of {} {} could not be deleted: {}", IndexSettings.UUID, uuid, e.toString());
        deleteLater(uuid);
      }
    });
  }

  /**
   * Deletes the topics that a former leader did not delete, of indices whose deletion is in the
   * log.
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
        LOG.info("topic {} belongs to a deleted index and was not deleted with it", topic);
        log.deleteTopic(topic);
      }
    } catch (LogException e) {
      LOG.warn("topics of deleted indices could not be deleted: {}", e.toString());
      later.execute(() -> sweep(deletedIndices));
    }
  }
}
