package io.varve.coordinator.rest.ccr;

import io.varve.cluster.Topics;
import io.varve.events.FollowerLease;
import io.varve.events.ShardId;
import io.varve.log.Appends;
import io.varve.log.LogException;
import io.varve.log.MessageLog;

/** Removes a lease by a record in the manifests topic, as its holder does when it releases it. */
public final class LoggedLeaseRemoval implements LeaseRemoval {

  private final MessageLog log;
  private final Topics topics;

  public LoggedLeaseRemoval(MessageLog log, Topics topics) {
    this.log = log;
    this.topics = topics;
  }

  @Override
  public void remove(ShardId shard, String holder) throws LogException, InterruptedException {
    Appends.await(
        log.open(topics.manifests(shard.indexUuid()), shard.number()),
        FollowerLease.released(shard, holder));
  }
}
