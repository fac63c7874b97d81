package io.varve.ccr;

import io.varve.cluster.IndexSettings;
import io.varve.cluster.RemoteCluster;
import io.varve.rpc.LeaseRenewal;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state of a follower's lease, which the coordinators of the leader's cluster record. All
 * shards of the index that are pulled on one node share it.
 *
 * <pre>
 *   unknown, missing --add, answered Active-->      active
 *   active           --renewal, answered Active-->  active
 *   active           --answered Missing-->          missing   added again immediately while the
 *                                                             index is a follower; the request
 *                                                             names the ended generation
 *   any              --refused-->                   missing   with the reason
 *   any              --no answer-->                 unchanged
 * </pre>
 *
 * A shard is <em>retained from</em> an offset if the last answer covered the shard with that offset
 * or an earlier one.
 *
 * <pre>
 *   not retained from the offset that is needed now     request, and await the answer
 *   retained; no request for SHARED_MILLIS              request, without waiting
 *   retained; a more recent request                     nothing
 * </pre>
 *
 * INVARIANT: nothing is read at an offset from which the shard was not retained, unless the
 * leader's cluster refused the lease or did not answer. No I/O. Thread-safe.
 */
public final class LeaseState {

  /** When a shard's lease has to be requested. */
  public enum Renewal {
    /** Now; nothing may be read before the answer. */
    AWAITED,
    /** Now; reading continues while the request is in flight. */
    DUE,
    NOT_DUE
  }

  private record Held(long fromOffset, long atMillis) {}

  /** A request that is more recent than this covered all shards that are pulled here. */
  static final long SHARED_MILLIS = LeaseKeeper.RENEW_MILLIS / 2;

  /**
   * A puller that did not renew for this long no longer runs on this node, or has lost its leader's
   * history.
   */
  static final long SILENT_MILLIS = 2 * LeaseKeeper.RENEW_MILLIS;

  private final String leaderUuid;
  private final String holder;

  /** By shard: the first record that is needed now. */
  private final Map<Integer, Held> held = new HashMap<>();

  /** By shard: the first record that the leader retains, by its last answer. */
  private final Map<Integer, Long> retained = new HashMap<>();

  private long requestedMillis;
  private long generation;
  private boolean active;
  private String refusal = "";

  /**
   * @param leaderUuid of the leader index
   */
  public LeaseState(String leaderUuid, String holder) {
    this.leaderUuid = leaderUuid;
    this.holder = holder;
  }

  /** A shard needs the records from that offset on. */
  public synchronized Renewal needs(int shard, long fromOffset, long nowMillis) {
    held.put(shard, new Held(fromOffset, nowMillis));
    if (!isRetained(shard, fromOffset)) {
      return Renewal.AWAITED;
    }
    return nowMillis - requestedMillis >= SHARED_MILLIS ? Renewal.DUE : Renewal.NOT_DUE;
  }

  /** The request that renews the lease, or adds it, for all shards that are pulled here. */
  public synchronized LeaseRenewal request(long nowMillis) {
    requestedMillis = nowMillis;
    held.values().removeIf(one -> nowMillis - one.atMillis() > SILENT_MILLIS);
    Map<Integer, Long> offsets = new TreeMap<>();
    held.forEach((shard, one) -> offsets.put(shard, one.fromOffset()));
    return new LeaseRenewal(leaderUuid, holder, generation, !active, offsets);
  }

  /** Returns false if the lease is missing; then it can be requested again. */
  public synchronized boolean answered(LeaseRenewal request, RemoteCluster.Lease answer) {
    retained.clear();
    switch (answer) {
      case RemoteCluster.Lease.Active(long current, Map<Integer, Long> limits) -> {
        generation = current;
        active = true;
        retained.putAll(request.fromOffsets());
        retained.keySet().removeAll(limits.keySet());
        refusal = limits.isEmpty() ? "" : overLimit(limits);
      }
      case RemoteCluster.Lease.Missing(long newest, String reason) -> {
        generation = newest;
        active = false;
        refusal = reason;
      }
    }
    return active;
  }

  private static String overLimit(Map<Integer, Long> limits) {
    return "the leader retains nothing for shards that retained more than ["
        + IndexSettings.LEASE_MAX_BYTES
        + "], until they need it only from these offsets on: "
        + limits;
  }

  /** The leader's cluster refused the request. */
  public synchronized void refused(String reason) {
    ended();
    refusal = reason;
  }

  /** The lease is released. */
  public synchronized void ended() {
    active = false;
    retained.clear();
  }

  public synchronized boolean isActive() {
    return active;
  }

  /** Whether the leader retains that shard's records from that offset on, by its last answer. */
  public synchronized boolean isRetained(int shard, long fromOffset) {
    Long from = retained.get(shard);
    return from != null && from <= fromOffset;
  }

  /** Why the leader's cluster refused the last request; empty if it did not. */
  public synchronized String refusal() {
    return refusal;
  }
}
