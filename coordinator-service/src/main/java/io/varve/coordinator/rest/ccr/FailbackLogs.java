package io.varve.coordinator.rest.ccr;

import io.varve.cluster.FormerLog;
import io.varve.cluster.Topics;
import io.varve.events.ShardId;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.rpc.ForkPlace;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the logs of former leader indices, to show what a failback does. */
public final class FailbackLogs {

  private static final Logger LOG = LoggerFactory.getLogger(FailbackLogs.class);

  /** Quarantine topics that operators have deleted. */
  private final Set<String> deleted = ConcurrentHashMap.newKeySet();

  private final MessageLog log;
  private final Topics topics;

  public FailbackLogs(MessageLog log, Topics topics) {
    this.log = log;
    this.topics = topics;
  }

  /**
   * Whether the shard's own log can be replayed up to the fork.
   *
   * @throws LogException.Unavailable if the log could not be read
   */
  FormerLog.Check check(ShardId former, ForkPlace fork) throws LogException.Unavailable {
    return FormerLog.check(log.open(topics.operations(former.indexUuid()), former.number()), fork);
  }

  /**
   * The reason why operations after the fork would be lost; empty if none would.
   *
   * @throws LogException.Unavailable if the log could not be read
   */
  Optional<String> lostAfterFork(ShardId former, ForkPlace fork) throws LogException.Unavailable {
    return FormerLog.lostAfterFork(
        log.open(topics.operations(former.indexUuid()), former.number()), fork, -1);
  }

  String quarantineTopic(String formerUuid) {
    return topics.quarantine(formerUuid);
  }

  /**
   * The number of the shard's operations in the quarantine topic; empty if an operator has deleted
   * the topic. A deleted topic is not asked for again: it is never created a second time.
   *
   * @param ended whether the failback has ended, so that a missing topic was deleted
   * @throws LogException.Unavailable if the topic could not be read
   */
  OptionalLong quarantined(ShardId former, boolean ended) throws LogException {
    String topic = topics.quarantine(former.indexUuid());
    if (deleted.contains(topic) || isDeleted(topic, ended)) {
      return OptionalLong.empty();
    }
    PartitionLog quarantine = log.open(topic, former.number());
    return OptionalLong.of(quarantine.endOffset() - quarantine.startOffset());
  }

  private boolean isDeleted(String topic, boolean ended) throws LogException {
    try {
      var _ = log.topicId(topic);
      return false;
    } catch (LogException.OutOfRange e) {
      if (ended) {
        deleted.add(topic);
      }
      LOG.debug("there is no topic {}", topic, e);
      return true;
    }
  }
}
