package io.varve.shard.primary;

import io.varve.events.ShardId;
import io.varve.host.ShardCopy;
import io.varve.log.FencedWriter;
import io.varve.rpc.ApiException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a primary accepts writes. It accepts requests of its term from the replay of its
 * fence until it is fenced or the outcome of an append is unknown. Earlier requests wait. A closed
 * gate never opens again.
 */
final class PrimaryGate {

  private static final Logger LOG = LoggerFactory.getLogger(PrimaryGate.class);

  private final ShardId shard;
  private final long term;
  private final CompletableFuture<Boolean> decided = new CompletableFuture<>();
  private volatile boolean fencedOff;

  PrimaryGate(ShardId shard, long term) {
    this.shard = shard;
    this.term = term;
  }

  void opened() {
    decided.complete(true);
  }

  void closed() {
    decided.complete(false);
  }

  /**
   * Closes the gate. A positive {@code newerTerm} means that the primary was fenced by that term.
   */
  void closedBy(long newerTerm) {
    fencedOff = newerTerm > 0;
  }

  /** Waits until the gate is open or closed, if {@code askedTerm} is the copy's term. */
  void await(long askedTerm, Duration timeout) throws InterruptedException {
    try {
      if (askedTerm == term) {
        decided.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      }
    } catch (TimeoutException | ExecutionException e) {
      LOG.debug("{} did not open its gate within {}", shard, timeout);
    }
  }

  void require(long askedTerm, ShardCopy.State state, FencedWriter writer) {
    if (askedTerm == term && !writer.isOpen()) {
      throw new ApiException(
          Sequencer.stale(
              shard + " is " + state + " in term " + term + ": " + writer.closedReason()));
    }
    if (askedTerm != term) {
      throw new ApiException(
          Sequencer.stale(
              shard
                  + " is "
                  + state
                  + " in term "
                  + term
                  + ", the request is of term "
                  + askedTerm));
    }
  }

  /** Throws if the primary was fenced, because another primary may have accepted writes since. */
  void refuseWhenFencedOff() {
    if (fencedOff) {
      throw new ApiException(Sequencer.stale(shard + " was fenced off in term " + term));
    }
  }
}
