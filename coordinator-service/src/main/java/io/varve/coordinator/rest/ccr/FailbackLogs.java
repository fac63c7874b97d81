package io.varve.coordinator.rest.ccr;

import io.varve.cluster.FormerLog;
import io.varve.cluster.Topics;
import io.varve.events.ShardId;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.rpc.ForkPlace;
import java.util.Optional;

/** Reads the logs of former leader indices, to show what a failback does. */
public final class FailbackLogs {

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
   * The number of the shard's operations in the quarantine topic.
   *
   * @throws LogException.Unavailable if the topic does not exist or could not be read
   */
  long quarantined(ShardId former) throws LogException.Unavailable {
    PartitionLog quarantine = log.open(topics.quarantine(former.indexUuid()), former.number());
    return quarantine.endOffset() - quarantine.startOffset();
  }
}
