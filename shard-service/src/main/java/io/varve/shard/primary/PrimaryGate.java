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
 * Admits writes to a primary: requests of its term, from the moment when its fence is replayed
 * until it is fenced off or the outcome of an append is unknown. Earlier requests wait. A closed
 * gate stays closed.
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

  /** The primary was fenced off if {@code newerTerm} is positive. */
  void closedBy(long newerTerm) {
    fencedOff = newerTerm > 0;
  }

  /** Waits until the gate is open or closed, if that is the copy's term. */
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

  /** Another primary may have accepted writes since. */
  void refuseWhenFencedOff() {
    if (fencedOff) {
      throw new ApiException(Sequencer.stale(shard + " was fenced off in term " + term));
    }
  }
}
