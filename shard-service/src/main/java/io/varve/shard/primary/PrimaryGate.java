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
 * Who may write through a primary: those who ask for its term, from the moment its fence is
 * replayed to, until it is fenced off or an append's fate is unknown. Who comes earlier waits. Once
 * closed it stays so.
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

  /** By another primary when {@code newerTerm} is one. */
  void closedBy(long newerTerm) {
    fencedOff = newerTerm > 0;
  }

  /** Waits while it is not decided yet, if the copy was given that term. */
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

  /** Another primary may have taken writes since. */
  void refuseWhenFencedOff() {
    if (fencedOff) {
      throw new ApiException(Sequencer.stale(shard + " was fenced off in term " + term));
    }
  }
}
