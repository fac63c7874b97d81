package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.Feature;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a follower is replaced because a shard of it can't be recovered. */
class LostShardTest {

  private static final ShardId SHARD = new ShardId("books-uuid", 0);
  private static final FollowRelation FOLLOW =
      new FollowRelation("remote", "books", "leader-uuid", "f1", 3);
  private static final LostShard.Found NOTHING = new LostShard.Found(false, false, 7);

  private static final CopyRouting PRIMARY =
      new CopyRouting("c1", true, CopyRouting.State.INITIALIZING, "n1", "");
  private static final CopyRouting REPLICA =
      new CopyRouting("c2", false, CopyRouting.State.INITIALIZING, "n2", "");

  private static ClusterState state(
      @Nullable FollowRelation follow,
      List<CopyRouting> copies,
      UnaryOperator<ShardRouting> change) {
    ShardRouting shard = change.apply(new ShardRouting(SHARD, 3, copies));
    IndexMetadata index =
        new IndexMetadata(
            "books", SHARD.indexUuid(), 0, Map.of(), 1, "{}", 1, follow, List.of(shard));
    return ClusterState.EMPTY
        .apply(new ClusterEvent.FeatureLevelRaised(Feature.FOLLOWER_BOOTSTRAP.since()))
        .apply(new ClusterEvent.IndexCreated(index));
  }

  private static ClusterState started(@Nullable FollowRelation follow, CopyRouting... copies) {
    return state(follow, List.of(copies), UnaryOperator.identity());
  }

  private static boolean isLost(ClusterState state, LostShard.Found found) {
    return LostShard.follower(state, SHARD, "c1", found).isPresent();
  }

  @Test
  void itIsLostIfNeitherFolderNorLogNorStoreNorAnotherCopyHasIt() {
    ClusterState alone = started(FOLLOW, PRIMARY, CopyRouting.unassigned("c2", false, ""));

    assertThat(isLost(alone, NOTHING)).isTrue();
    assertThat(isLost(alone, new LostShard.Found(true, false, 7))).as("store").isFalse();
    assertThat(isLost(alone, new LostShard.Found(false, true, 7))).as("folder").isFalse();
    assertThat(isLost(alone, new LostShard.Found(false, false, 0))).as("log").isFalse();
    assertThat(isLost(started(FOLLOW, PRIMARY, REPLICA), NOTHING)).as("copy").isFalse();
  }

  /** Such as a replica that waits for the first manifest. */
  @Test
  void otherCopiesOfAShardThatNeverStartedHaveNothing() {
    ClusterState state = state(FOLLOW, List.of(PRIMARY, REPLICA), ShardRouting::asNeverStarted);

    assertThat(isLost(state, NOTHING)).isTrue();
  }

  @Test
  void onlyAnActiveFollowerIsReplaced() {
    assertThat(isLost(started(null, PRIMARY), NOTHING)).isFalse();
    assertThat(isLost(started(FOLLOW.asPaused(), PRIMARY), NOTHING)).isFalse();
    assertThat(isLost(ClusterState.EMPTY, NOTHING)).isFalse();
  }
}
