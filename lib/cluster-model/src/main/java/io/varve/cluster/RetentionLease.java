package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a follower index on the operations of its leader index: the log retains them until
 * the follower no longer needs them. The leading coordinator of the leader's cluster decides it
 * with its own clock and records it in the cluster log; the primaries only read it.
 *
 * <pre>
 *   none   --add-->                 active
 *   active --renewal-->             active   other offsets, a later time
 *   active --over the limit-->      active   that shard retains nothing until its offset is renewed
 *                                            from the limit on; other shards are not affected
 *   active --removed, expired-->    ended    the next renewal returns the reason
 *   ended  --add that names it-->   active   under a new generation
 *   ended  --after the period-->    none
 * </pre>
 *
 * INVARIANT: a generation is never reused. A renewal names the generation that it renews, and an
 * add the generation that it replaces, so a request that arrives late can't recreate a lease that
 * ended.
 *
 * @param generation the version of the cluster state in which the lease was added
 * @param renewedMillis when the lease was last renewed, or when it ended
 * @param fromOffsets by shard: the first record that the follower may read again
 * @param ended the reason for which the lease ended; null while it is active
 * @param limits by shard, for shards that retained too much: the first offset from which they may
 *     be retained again
 */
public record RetentionLease(
    long generation,
    long renewedMillis,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Map<Integer, Long> fromOffsets,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable End ended,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        Map<Integer, Long> limits) {

  /** The reason for which a lease ended. */
  public enum End {
    /** A user removed it, or the index is no longer a follower. */
    REMOVED,
    /** It was not renewed within the period. */
    EXPIRED
  }

  public RetentionLease {
    fromOffsets = Collections.unmodifiableSortedMap(new TreeMap<>(fromOffsets));
    limits = Collections.unmodifiableSortedMap(new TreeMap<>(limits));
  }

  /** An active lease. */
  public RetentionLease(long generation, long renewedMillis, Map<Integer, Long> fromOffsets) {
    this(generation, renewedMillis, fromOffsets, null, Map.of());
  }

  /** Whether the lease is active and so retains operations. */
  @JsonIgnore
  public boolean isActive() {
    return ended == null;
  }

  /** The first record of that shard that it retains; -1 if it retains none. */
  public long retainedFrom(int shard) {
    return isActive() ? fromOffsets.getOrDefault(shard, -1L) : -1;
  }

  /** The lease after a renewal at that time; shards that are not in the map keep their offsets. */
  public RetentionLease renewed(Map<Integer, Long> offsets, long atMillis) {
    Map<Integer, Long> merged = new TreeMap<>(fromOffsets);
    merged.putAll(offsets);
    Map<Integer, Long> left = new TreeMap<>(limits);
    left.keySet().removeAll(offsets.keySet());
    return new RetentionLease(generation, atMillis, merged, ended, left);
  }

  /** The lease ended at that time; it may be added again with any offsets. */
  public RetentionLease ended(End reason, long atMillis) {
    return new RetentionLease(generation, atMillis, Map.of(), reason, Map.of());
  }

  /** The lease without that shard, which may be retained again from the given offset on. */
  public RetentionLease overLimit(int shard, long fromOffset) {
    Map<Integer, Long> others = new TreeMap<>(fromOffsets);
    others.remove(shard);
    Map<Integer, Long> limited = new TreeMap<>(limits);
    limited.put(shard, fromOffset);
    return new RetentionLease(generation, renewedMillis, others, ended, limited);
  }

  /** Whether that shard retained too much and may not be retained from this offset on. */
  public boolean isOverLimit(int shard, long fromOffset) {
    return fromOffset < limits.getOrDefault(shard, 0L);
  }
}
