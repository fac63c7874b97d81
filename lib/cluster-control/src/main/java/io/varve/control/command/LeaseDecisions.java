package io.varve.control.command;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.RetentionLease;
import io.varve.cluster.RetentionLease.End;
import io.varve.events.Feature;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.LeaseRenewal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides the leases of followers on indices of this cluster; {@link RetentionLease} lists the
 * states. It runs on the leading coordinator and measures periods with its clock.
 *
 * <p>A renewal that only advances a lease is kept in memory. One event every {@link #RECORD_MILLIS}
 * records these renewals for all indices and shards; it is written at once if half of a lease's
 * period has passed. The cost is therefore two events a minute, regardless of the number of
 * followers. If the leader fails, the renewals since the last event are lost: primaries retain
 * operations longer than needed until the followers renew again. A request that makes a lease
 * retain more (an add, another shard, a lower offset) is recorded before it is answered.
 *
 * <p>A new leader does not end leases for {@link #FIRST_MILLIS}, because followers could not renew
 * while there was no leader.
 *
 * <p>Used by the leader's thread only.
 */
public final class LeaseDecisions {

  /** Pause between two events that record renewals. */
  static final long RECORD_MILLIS = 30_000;

  /** Two intervals of a follower's renewals. */
  static final long FIRST_MILLIS = 60_000;

  private static final int MAX_HOLDER_CHARS = 255;

  private record Key(String indexUuid, String holder) {}

  /** A renewal that is not recorded yet. */
  private record Renewed(long generation, Map<Integer, Long> offsets, long atMillis) {}

  private final LongSupplier clockMillis;
  private final Map<Key, Renewed> unrecorded = new HashMap<>();
  private long leadingSinceMillis;
  private long recordedMillis;

  /**
   * @param clockMillis the time of day, which is recorded
   */
  public LeaseDecisions(LongSupplier clockMillis) {
    this.clockMillis = clockMillis;
  }

  /**
   * Begins a term of this leader.
   *
   * @param nowMillis of a monotonic clock
   */
  public void lead(long nowMillis) {
    unrecorded.clear();
    leadingSinceMillis = nowMillis;
    recordedMillis = nowMillis;
  }

  /** The time of day. */
  long timeMillis() {
    return clockMillis.getAsLong();
  }

  Decision renew(ClusterState state, LeaseRenewal request) {
    Optional<IndexMetadata> found = state.index(request.indexUuid());
    if (found.isEmpty()) {
      return new Decision.Refused(ErrorBodies.indexNotFound(request.indexUuid(), "index"));
    }
    IndexMetadata index = found.get();
    Optional<ErrorBody> malformed = malformed(index, request);
    if (malformed.isPresent()) {
      return new Decision.Refused(malformed.get());
    }
    RetentionLease lease = index.leases().get(request.holder());
    if (lease != null && lease.isActive()) {
      return request.add() || request.generation() == lease.generation()
          ? advance(index, lease, request)
          : missing(index, request, lease);
    }
    boolean replaces = lease == null || request.generation() == lease.generation();
    return request.add() && replaces ? add(state, index, request) : missing(index, request, lease);
  }

  private static Optional<ErrorBody> malformed(IndexMetadata index, LeaseRenewal request) {
    String holder = request.holder();
    boolean named =
        holder != null
            && !holder.isEmpty()
            && holder.length() <= MAX_HOLDER_CHARS
            && holder.indexOf('/') < 0;
    boolean placed =
        !request.fromOffsets().isEmpty()
            && request.fromOffsets().entrySet().stream()
                .allMatch(entry ->
                    entry.getKey() >= 0
                        && entry.getKey() < index.numberOfShards()
                        && entry.getValue() != null
                        && entry.getValue() >= 0);
    return named && placed
        ? Optional.empty()
        : Optional.of(
            ErrorBody.illegalArgument(
                "a lease needs a holder of 1 to "
                    + MAX_HOLDER_CHARS
                    + " characters without [/], and offsets >= 0 of shards 0 to "
                    + (index.numberOfShards() - 1)
                    + "; got holder ["
                    + holder
                    + "] and offsets "
                    + request.fromOffsets()));
  }

  private Decision add(ClusterState state, IndexMetadata index, LeaseRenewal request) {
    RetentionLease added =
        new RetentionLease(state.version() + 1, clockMillis.getAsLong(), request.fromOffsets());
    return changed(index, request.holder(), added);
  }

  private Decision advance(IndexMetadata index, RetentionLease lease, LeaseRenewal request) {
    Key key = new Key(index.uuid(), request.holder());
    Map<Integer, Long> asked = new TreeMap<>(request.fromOffsets());
    asked.entrySet().removeIf(entry -> lease.isOverLimit(entry.getKey(), entry.getValue()));
    Map<Integer, Long> offsets = new TreeMap<>(offsets(key, lease));
    offsets.putAll(asked);
    boolean retainsMore =
        asked.entrySet().stream()
            .anyMatch(entry -> {
              long recorded = lease.retainedFrom(entry.getKey());
              return recorded < 0 || entry.getValue() < recorded;
            });
    long nowMillis = clockMillis.getAsLong();
    if (retainsMore) {
      unrecorded.remove(key);
      return changed(index, request.holder(), lease.renewed(offsets, nowMillis));
    }
    unrecorded.put(key, new Renewed(lease.generation(), offsets, nowMillis));
    return Decision.nothing();
  }

  /** The lease after its last renewal, recorded or not. */
  private Map<Integer, Long> offsets(Key key, RetentionLease lease) {
    Renewed renewed = unrecorded.get(key);
    return renewed != null && renewed.generation() == lease.generation()
        ? renewed.offsets()
        : lease.fromOffsets();
  }

  private static Decision missing(
      IndexMetadata index, LeaseRenewal request, @Nullable RetentionLease lease) {
    String why =
        lease == null
            ? "it does not exist"
            : lease.ended() == null ? "another one was added since" : reason(lease.ended());
    ErrorBody error =
        ErrorBody.of(
            404,
            RemoteCluster.NO_LEASE,
            "retention lease [%d] of [%s] on [%s] not found: %s"
                .formatted(request.generation(), request.holder(), index.name(), why));
    return new Decision.Refused(
        error.with("newest_generation", lease == null ? 0 : lease.generation()));
  }

  private static String reason(End end) {
    return switch (end) {
      case REMOVED -> "it was removed";
      case EXPIRED -> "it was not renewed within [" + IndexSettings.LEASE_PERIOD + "]";
    };
  }

  Decision end(ClusterState state, ClusterCommand.EndLeases request) {
    Map<String, @Nullable RetentionLease> ended = new TreeMap<>();
    Optional<IndexMetadata> index = state.index(request.indexUuid());
    for (String holder : request.holders()) {
      RetentionLease lease = index.map(found -> found.leases().get(holder)).orElse(null);
      if (lease != null && lease.isActive()) {
        unrecorded.remove(new Key(request.indexUuid(), holder));
        ended.put(holder, lease.ended(End.REMOVED, clockMillis.getAsLong()));
      }
    }
    return ended.isEmpty()
        ? Decision.nothing()
        : Decision.of(new ClusterEvent.LeasesChanged(Map.of(request.indexUuid(), ended)));
  }

  /**
   * Ends what a lease retains of one shard, if that exceeds the limit; other shards keep theirs.
   * Ignores an outdated report, about a lease that has since advanced or ended or is no longer
   * limited.
   */
  Decision overLimit(ClusterState state, ClusterCalls.LeaseOverLimit news) {
    int shard = news.shard().number();
    Optional<IndexMetadata> index = state.index(news.shard().indexUuid());
    RetentionLease lease = index.map(found -> found.leases().get(news.holder())).orElse(null);
    if (lease == null
        || !lease.isActive()
        || lease.generation() != news.generation()
        || IndexSettings.logRetention(index.orElseThrow().settings()).leaseMaxBytes() < 0) {
      return Decision.nothing();
    }
    Key key = new Key(news.shard().indexUuid(), news.holder());
    Map<Integer, Long> offsets = offsets(key, lease);
    Long from = offsets.get(shard);
    if (from == null || from >= news.limitOffset()) {
      return Decision.nothing();
    }
    RetentionLease renewed =
        unrecorded.containsKey(key)
            ? lease.renewed(offsets, unrecorded.get(key).atMillis())
            : lease;
    unrecorded.remove(key);
    return changed(
        index.orElseThrow(), news.holder(), renewed.overLimit(shard, news.limitOffset()));
  }

  private static Decision changed(IndexMetadata index, String holder, RetentionLease lease) {
    return Decision.of(new ClusterEvent.LeasesChanged(Map.of(index.uuid(), Map.of(holder, lease))));
  }

  /**
   * The event that is due because time has passed, if any: it records renewals and ends expired
   * leases.
   *
   * @param nowMillis of a monotonic clock
   */
  public List<ClusterEvent> due(ClusterState state, long nowMillis) {
    if (!state.has(Feature.RECORDED_LEASES)) {
      return List.of();
    }
    boolean records = nowMillis - recordedMillis >= RECORD_MILLIS;
    boolean ends = nowMillis - leadingSinceMillis >= FIRST_MILLIS;
    Map<String, Map<String, @Nullable RetentionLease>> changes = new TreeMap<>();
    for (IndexMetadata index : state.indices().values()) {
      Map<String, @Nullable RetentionLease> own = new TreeMap<>();
      index.leases().forEach((holder, lease) -> change(index, holder, lease, records, ends, own));
      if (!own.isEmpty()) {
        changes.put(index.uuid(), own);
      }
    }
    if (records) {
      recordedMillis = nowMillis;
      unrecorded.clear();
    }
    return changes.isEmpty() ? List.of() : List.of(new ClusterEvent.LeasesChanged(changes));
  }

  private void change(
      IndexMetadata index,
      String holder,
      RetentionLease lease,
      boolean records,
      boolean ends,
      Map<String, @Nullable RetentionLease> changes) {
    Key key = new Key(index.uuid(), holder);
    Renewed renewed = unrecorded.get(key);
    boolean isRenewed =
        renewed != null && lease.isActive() && renewed.generation() == lease.generation();
    RetentionLease now = isRenewed ? lease.renewed(renewed.offsets(), renewed.atMillis()) : lease;
    long periodMillis = IndexSettings.logRetention(index.settings()).leasePeriodMillis();
    long timeMillis = clockMillis.getAsLong();
    if (ends && timeMillis - now.renewedMillis() > periodMillis) {
      unrecorded.remove(key);
      changes.put(holder, now.isActive() ? now.ended(End.EXPIRED, timeMillis) : null);
    } else if (isRenewed && (records || timeMillis - lease.renewedMillis() > periodMillis / 2)) {
      unrecorded.remove(key);
      changes.put(holder, now);
    }
  }
}
