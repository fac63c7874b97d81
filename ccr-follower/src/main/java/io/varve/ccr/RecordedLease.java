package io.varve.ccr;

import io.varve.cluster.RemoteCluster;
import io.varve.rpc.LeaseRenewal;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of a follower index, recorded by the coordinators of the leader's cluster. All pullers
 * of the index on this node share it: one request renews it for all of them, so a node sends about
 * one request per index in {@link LeaseKeeper#RENEW_MILLIS}. {@link LeaseState} decides.
 *
 * <p>A request that makes the leader retain more (the first one for a shard, an earlier offset) is
 * awaited. Other requests are sent in the background, one at a time, so pullers continue while
 * coordinators do not answer.
 *
 * <p>A request that arrives after the lease was removed can't recreate it, because it names an
 * older generation. The lease is not added again once the index is no longer a follower.
 * Thread-safe.
 */
final class RecordedLease implements LeaderLease {

  /** The coordinators of the leader's cluster. */
  interface Coordinators {

    /** See {@link RemoteCluster#renew}. */
    RemoteCluster.Lease renew(LeaseRenewal renewal) throws IOException, InterruptedException;

    /** See {@link RemoteCluster#release}. */
    void release(LeaseRenewal.Release release) throws IOException, InterruptedException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(RecordedLease.class);

  private final String leaderUuid;
  private final String holder;
  private final LeaseState state;
  private final Coordinators coordinators;
  private final BooleanSupplier follows;
  private final Executor background;
  private final ReentrantLock sending = new ReentrantLock();
  private final AtomicBoolean renewing = new AtomicBoolean();
  private String loggedRefusal = "";

  /**
   * @param follows whether the index is a follower and not paused
   * @param background carries out renewals, which may block
   */
  RecordedLease(
      String leaderUuid,
      String holder,
      Coordinators coordinators,
      BooleanSupplier follows,
      Executor background) {
    this.leaderUuid = leaderUuid;
    this.holder = holder;
    this.state = new LeaseState(leaderUuid, holder);
    this.coordinators = coordinators;
    this.follows = follows;
    this.background = background;
  }

  @Override
  public void renew(int shard, long fromOffset, long nowMillis) throws InterruptedException {
    switch (state.needs(shard, fromOffset, nowMillis)) {
      case AWAITED -> send(nowMillis, () -> isRetained(shard, fromOffset));
      case DUE -> {
        if (renewing.compareAndSet(false, true)) {
          background.execute(() -> renewAll(nowMillis));
        }
      }
      case NOT_DUE -> {}
    }
  }

  private void renewAll(long nowMillis) {
    try {
      send(nowMillis, () -> false);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      renewing.set(false);
    }
  }

  /**
   * Adds no lease for an index that is no longer a follower.
   *
   * @param done whether another shard's request has covered this one in the meantime
   */
  private void send(long nowMillis, BooleanSupplier done) throws InterruptedException {
    sending.lockInterruptibly();
    try {
      if (done.getAsBoolean() || (!state.isActive() && !follows.getAsBoolean())) {
        return;
      }
      if (!request(nowMillis) && follows.getAsBoolean()) {
        var _ = request(nowMillis);
      }
    } catch (RemoteCluster.RefusedException e) {
      state.refused(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      LOG.warn("{}: the lease on {} could not be recorded: {}", holder, leaderUuid, e.getMessage());
    } finally {
      logRefusal();
      sending.unlock();
    }
  }

  /** Returns false if the lease is missing. */
  private boolean request(long nowMillis) throws IOException, InterruptedException {
    LeaseRenewal request = state.request(nowMillis);
    return state.answered(request, coordinators.renew(request));
  }

  /** Logs a refusal once, until it changes. */
  private void logRefusal() {
    String refusal = state.refusal();
    if (!refusal.isEmpty() && !refusal.equals(loggedRefusal)) {
      LOG.warn("{}: the lease on {} is refused: {}", holder, leaderUuid, refusal);
    }
    loggedRefusal = refusal;
  }

  @Override
  public boolean isRetained(int shard, long fromOffset) {
    return state.isRetained(shard, fromOffset);
  }

  @Override
  public String refusal() {
    return state.refusal();
  }

  @Override
  public void release() throws InterruptedException {
    sending.lockInterruptibly();
    try {
      state.ended();
      coordinators.release(new LeaseRenewal.Release(leaderUuid, holder));
    } catch (IOException e) {
      LOG.warn(
          "{}: the lease on {} could not be released and will expire: {}",
          holder,
          leaderUuid,
          e.getMessage());
    } finally {
      sending.unlock();
    }
  }
}
