package io.varve.ccr;

import io.varve.cluster.IndexSettings;
import io.varve.cluster.RemoteCluster;
import io.varve.rpc.LeaseRenewal;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of a follower index, recorded by the coordinators of the leader's cluster. All pullers
 * of the index on this node share it: one request renews it for all of them, so a node sends about
 * one request per index in {@link LeaseKeeper#RENEW_MILLIS}.
 *
 * <pre>
 *   unknown, missing --add, answered Active-->      active
 *   active           --renewal, answered Active-->  active
 *   active           --answered Missing-->          missing   added again at once while the index
 *                                                             is a follower; the request names
 *                                                             the ended generation
 *   any              --refused-->                   missing   with the reason
 *   any              --no answer-->                 unchanged
 * </pre>
 *
 * The first request for a shard is awaited before its operations are read. Later requests are sent
 * in the background, one at a time, so pullers continue while coordinators do not answer.
 *
 * <p>A request that arrives after the lease was removed can't revive it, because it names an older
 * generation. The lease is not added again once the index is no longer a follower. Thread-safe.
 */
final class RecordedLease implements LeaderLease {

  /** The coordinators of the leader's cluster. */
  interface Coordinators {

    /** See {@link RemoteCluster#renew}. */
    RemoteCluster.Lease renew(LeaseRenewal renewal) throws IOException, InterruptedException;

    /** See {@link RemoteCluster#release}. */
    void release(LeaseRenewal.Release release) throws IOException, InterruptedException;
  }

  private record Held(long fromOffset, long atMillis) {}

  private static final Logger LOG = LoggerFactory.getLogger(RecordedLease.class);

  /** A request that is more recent than this covered all shards that are pulled here. */
  private static final long SHARED_MILLIS = LeaseKeeper.RENEW_MILLIS / 2;

  /**
   * A puller that did not renew for this long no longer runs here, or has lost its leader's
   * history.
   */
  private static final long SILENT_MILLIS = 2 * LeaseKeeper.RENEW_MILLIS;

  private final String leaderUuid;
  private final String holder;
  private final Coordinators coordinators;
  private final BooleanSupplier follows;
  private final Executor background;
  private final ReentrantLock sending = new ReentrantLock();
  private final AtomicBoolean renewing = new AtomicBoolean();
  private final Map<Integer, Held> held = new ConcurrentHashMap<>();
  private final Set<Integer> sent = ConcurrentHashMap.newKeySet();
  private volatile long triedMillis;
  private long generation;
  private volatile boolean active;
  private volatile String refusal = "";

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
    this.coordinators = coordinators;
    this.follows = follows;
    this.background = background;
  }

  @Override
  public void renew(int shard, long fromOffset, long nowMillis) throws InterruptedException {
    held.put(shard, new Held(fromOffset, nowMillis));
    if (!isActive(shard)) {
      send(nowMillis, () -> isActive(shard));
    } else if (nowMillis - triedMillis >= SHARED_MILLIS && renewing.compareAndSet(false, true)) {
      background.execute(() -> renewAll(nowMillis));
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
   * An index that follows no more adds no lease.
   *
   * @param done whether another shard's request has covered this one meanwhile
   */
  private void send(long nowMillis, BooleanSupplier done) throws InterruptedException {
    sending.lockInterruptibly();
    try {
      if (done.getAsBoolean() || (!active && !follows.getAsBoolean())) {
        return;
      }
      triedMillis = nowMillis;
      held.values().removeIf(one -> nowMillis - one.atMillis() > SILENT_MILLIS);
      Map<Integer, Long> offsets = new TreeMap<>();
      held.forEach((shard, one) -> offsets.put(shard, one.fromOffset()));
      if (!request(offsets) && follows.getAsBoolean()) {
        var _ = request(offsets);
      }
    } catch (RemoteCluster.RefusedException e) {
      active = false;
      refused(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      LOG.warn("{} the lease on {} stays as it was: {}", holder, leaderUuid, e.getMessage());
    } finally {
      sending.unlock();
    }
  }

  /** Returns false if the lease is missing. */
  private boolean request(Map<Integer, Long> offsets) throws IOException, InterruptedException {
    switch (coordinators.renew(
        new LeaseRenewal(leaderUuid, holder, generation, !active, offsets))) {
      case RemoteCluster.Lease.Active(long current, Map<Integer, Long> limits) -> {
        generation = current;
        active = true;
        sent.clear();
        sent.addAll(offsets.keySet());
        sent.removeAll(limits.keySet());
        refused(limits);
        return true;
      }
      case RemoteCluster.Lease.Missing(long newest, String reason) -> {
        generation = newest;
        active = false;
        refused(reason);
        return false;
      }
    }
  }

  /** Shards over the limit are tried again with each renewal of theirs. */
  private void refused(Map<Integer, Long> limits) {
    if (limits.isEmpty()) {
      refusal = "";
      return;
    }
    refused(
        "the leader retains nothing for shards that retained more than ["
            + IndexSettings.LEASE_MAX_BYTES
            + "], until they need it only from these offsets on: "
            + limits);
  }

  private void refused(String reason) {
    if (!reason.equals(refusal)) {
      LOG.warn("{} the lease on {} is refused: {}", holder, leaderUuid, reason);
    }
    refusal = reason;
  }

  @Override
  public boolean isActive(int shard) {
    return active && sent.contains(shard);
  }

  @Override
  public String refusal() {
    return refusal;
  }

  @Override
  public void release() throws InterruptedException {
    sending.lockInterruptibly();
    try {
      active = false;
      coordinators.release(new LeaseRenewal.Release(leaderUuid, holder));
    } catch (IOException e) {
      LOG.warn("{} the lease on {} will expire: {}", holder, leaderUuid, e.getMessage());
    } finally {
      sending.unlock();
    }
  }
}
