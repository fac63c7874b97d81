package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of a follower index apart from its operations, as recorded in the follower's cluster.
 *
 * <pre>
 *   leaderMappingVersion  rises with each mapping of the leader that the follower has applied; an
 *                         operation waits until it is at least the version that the operation needs
 *   copiesToReopen        filled when a static setting changes, then shortened copy by copy
 *   skipped               rises with each operation that an operator skips
 *   stopReason            set when the follower is stopped, removed when it is resumed
 * </pre>
 *
 * @param leaderMappingVersion the version of the leader's mapping that the follower has; 0 if none
 *     was applied since following began
 * @param copiesToReopen ids of the copies that are open with former static settings
 * @param skipped by shard: operations of the leader that operators skipped
 * @param stopReason why this cluster paused the follower; null if it did not
 * @param formerSettings the static settings with which all {@code copiesToReopen} are open; null if
 *     there are none, or if they are open with different ones
 */
public record FollowStatus(
    @JsonSetter(nulls = Nulls.AS_EMPTY) long leaderMappingVersion,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        List<String> copiesToReopen,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        Map<Integer, SkippedOperations> skipped,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String stopReason,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, String> formerSettings) {

  /** The status of a follower that has just been created. */
  public static final FollowStatus NEW = new FollowStatus(0, List.of(), Map.of(), null);

  /**
   * The operations of one shard that operators skipped.
   *
   * @param leaderOffset of the newest one, in the leader's log
   * @param seqNo of the newest one
   * @param total how many were skipped
   */
  public record SkippedOperations(long leaderOffset, long seqNo, long total) {}

  public FollowStatus {
    copiesToReopen = List.copyOf(copiesToReopen);
    skipped = Collections.unmodifiableSortedMap(new TreeMap<>(skipped));
    formerSettings =
        formerSettings == null
            ? null
            : Collections.unmodifiableSortedMap(new TreeMap<>(formerSettings));
  }

  /** Without copies that are open with known former settings. */
  public FollowStatus(
      long leaderMappingVersion,
      List<String> copiesToReopen,
      Map<Integer, SkippedOperations> skipped,
      @Nullable String stopReason) {
    this(leaderMappingVersion, copiesToReopen, skipped, stopReason, null);
  }

  public FollowStatus withLeaderMappingVersion(long version) {
    return new FollowStatus(version, copiesToReopen, skipped, stopReason, formerSettings);
  }

  /** One of the copies to reopen was reopened or no longer exists. */
  public FollowStatus withCopiesToReopen(List<String> left) {
    return new FollowStatus(
        leaderMappingVersion, left, skipped, stopReason, left.isEmpty() ? null : formerSettings);
  }

  /**
   * A static setting has changed.
   *
   * @param open all copies that are open
   * @param settings the static settings before the change
   */
  public FollowStatus reopening(List<String> open, Map<String, String> settings) {
    return new FollowStatus(
        leaderMappingVersion,
        open,
        skipped,
        stopReason,
        copiesToReopen.isEmpty() && !open.isEmpty() ? settings : null);
  }

  public FollowStatus withStopReason(@Nullable String reason) {
    return new FollowStatus(leaderMappingVersion, copiesToReopen, skipped, reason, formerSettings);
  }

  /** This status with the operation at that offset of the leader's log skipped. */
  FollowStatus skipping(int shard, long leaderOffset, long seqNo) {
    SkippedOperations known = skipped.get(shard);
    Map<Integer, SkippedOperations> all = new TreeMap<>(skipped);
    all.put(
        shard, new SkippedOperations(leaderOffset, seqNo, known == null ? 1 : known.total() + 1));
    return new FollowStatus(leaderMappingVersion, copiesToReopen, all, stopReason, formerSettings);
  }
}
