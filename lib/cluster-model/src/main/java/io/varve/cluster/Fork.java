package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.varve.rpc.ForkPlace;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The leader index that an index followed before it was promoted, and for each shard the position
 * at which their histories diverge. When the index is opened after an unfollow, each primary takes
 * its next term. The first fence after the last operation of the leader is the fork of the shard;
 * it is recorded together with the start of that primary, so before the first write.
 *
 * @param shards by number; those whose primary has not started since are missing
 */
public record Fork(
    String remoteCluster,
    String leaderIndex,
    String leaderUuid,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Map<Integer, ForkPlace> shards) {

  /** Prefix of the holder of the lease that retains the index's own log for the former leader. */
  private static final String HOLDER = "failback-";

  public Fork {
    shards = Collections.unmodifiableSortedMap(new TreeMap<>(shards));
  }

  /** The fork of an index that was just unfollowed; no primary has started since. */
  public static Fork of(FollowRelation follow) {
    return new Fork(follow.remoteCluster(), follow.leaderIndex(), follow.leaderUuid(), Map.of());
  }

  /** Adds the position of that shard unless it is already recorded. */
  Fork with(int shard, ForkPlace place) {
    Map<Integer, ForkPlace> all = new TreeMap<>(shards);
    all.putIfAbsent(shard, place);
    return new Fork(remoteCluster, leaderIndex, leaderUuid, all);
  }

  /** The holder of the lease on the index's own log, which begins at the forks. */
  public String holder() {
    return holder(leaderUuid);
  }

  /** The same for the former leader index with that uuid. */
  public static String holder(String formerUuid) {
    return HOLDER + formerUuid;
  }
}
