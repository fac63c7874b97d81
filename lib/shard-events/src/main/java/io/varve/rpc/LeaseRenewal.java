package io.varve.rpc;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request of a follower to add or renew its lease on an index of another cluster: the body of
 * {@code POST /_internal/cluster/leases} of that cluster's coordinators.
 *
 * @param holder the follower; see {@link io.varve.events.FollowerLease#holder}
 * @param generation of the lease that is renewed; with {@code add} the newest one that the follower
 *     knows to have ended, 0 for none
 * @param add whether the lease is added if it does not exist
 * @param fromOffsets by shard: the first record that the follower may read again
 */
public record LeaseRenewal(
    String indexUuid,
    String holder,
    long generation,
    boolean add,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Map<Integer, Long> fromOffsets) {

  public LeaseRenewal {
    fromOffsets = new TreeMap<>(fromOffsets);
  }

  /**
   * The answer: the lease is active with this generation.
   *
   * @param limits by shard, for shards that are not retained because they retained too much: the
   *     first offset from which they may be retained again
   */
  public record Active(
      long generation,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
          Map<Integer, Long> limits) {

    public Active {
      limits = new TreeMap<>(limits);
    }

    /** All shards of the request are retained. */
    public Active(long generation) {
      this(generation, Map.of());
    }
  }

  /**
   * The body of {@code POST /_internal/cluster/leases/released}, which ends a lease because the
   * index is no longer a follower.
   */
  public record Release(String indexUuid, String holder) {}
}
