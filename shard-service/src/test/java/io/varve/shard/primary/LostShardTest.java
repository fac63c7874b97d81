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
import io.varve.rpc.FolderPosition;
import io.varve.shard.primary.LostShard.Outcome;
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
  private static final LostShard.Found NOTHING = new LostShard.Found(false, false, 7, 0, Map.of());

  /** A folder whose content ends before what was published. */
  private static final FolderPosition BEHIND = new FolderPosition(true, 4, 1, true, null);

  /** A folder that lacks records which the log does not have any more. */
  private static final FolderPosition TOO_OLD = new FolderPosition(true, 4, 1, false, null);

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

  private static Outcome decide(ClusterState state, LostShard.Found found) {
    return LostShard.decide(state, SHARD, "c1", found);
  }

  private static Outcome lost(ClusterState state) {
    return new Outcome.Lost(state.index(SHARD.indexUuid()).orElseThrow(), FOLLOW.leaderUuid());
  }

  @Test
  void itIsLostIfNeitherFolderNorLogNorStoreNorAnotherCopyHasIt() {
    ClusterState alone = started(FOLLOW, PRIMARY, CopyRouting.unassigned("c2", false, ""));
    Outcome notLost = new Outcome.NotLost();

    assertThat(decide(alone, NOTHING)).isEqualTo(lost(alone));
    assertThat(decide(alone, new LostShard.Found(true, false, 7, 0, Map.of())))
        .as("store")
        .isEqualTo(notLost);
    assertThat(decide(alone, new LostShard.Found(false, true, 7, 0, Map.of())))
        .as("folder")
        .isEqualTo(notLost);
    assertThat(decide(alone, new LostShard.Found(false, false, 0, 0, Map.of())))
        .as("log")
        .isEqualTo(notLost);
    assertThat(decide(started(FOLLOW, PRIMARY, REPLICA), NOTHING))
        .as("copy")
        .isEqualTo(new Outcome.MayBeHeld(List.of(REPLICA)));
  }

  private static LostShard.Found answered(Map<String, FolderPosition> folders) {
    return new LostShard.Found(false, false, 7, 5, folders);
  }

  /** A copy that gives no answer may have the content. */
  @Test
  void otherCopiesCountUnlessTheyAnswerThatTheyCannotContinue() {
    CopyRouting third = new CopyRouting("c3", false, CopyRouting.State.INITIALIZING, "n3", "");
    ClusterState state = started(FOLLOW, PRIMARY, REPLICA, third);

    assertThat(decide(state, answered(Map.of("c2", FolderPosition.EMPTY))))
        .isEqualTo(new Outcome.MayBeHeld(List.of(third)));
    assertThat(decide(state, answered(Map.of("c2", FolderPosition.EMPTY, "c3", TOO_OLD))))
        .isEqualTo(lost(state));
  }

  /** It starts with what it holds, is promoted, and replays the log. */
  @Test
  void aReplicaThatEndsBeforeTheNewestManifestContinues() {
    ClusterState state = started(FOLLOW, PRIMARY, REPLICA);

    assertThat(decide(state, answered(Map.of("c2", BEHIND))))
        .isEqualTo(new Outcome.MayBeHeld(List.of(REPLICA)));
  }

  /** Only the newest manifest can be copied from it. */
  @Test
  void aSearchOnlyCopyCountsIfItHasTheNewestManifest() {
    CopyRouting search =
        new CopyRouting("c2", false, CopyRouting.State.INITIALIZING, "n2", "", true);
    ClusterState state = started(FOLLOW, PRIMARY, search);

    assertThat(decide(state, answered(Map.of("c2", BEHIND)))).isEqualTo(lost(state));
    assertThat(decide(state, answered(Map.of("c2", new FolderPosition(true, 5, 1, true, null)))))
        .isEqualTo(new Outcome.MayBeHeld(List.of(search)));
  }

  /** Such as a replica that waits for the first manifest. */
  @Test
  void otherCopiesOfAShardThatNeverStartedHaveNothing() {
    ClusterState state = state(FOLLOW, List.of(PRIMARY, REPLICA), ShardRouting::asNeverStarted);

    assertThat(decide(state, NOTHING)).isEqualTo(lost(state));
  }

  @Test
  void onlyAnActiveFollowerIsReplaced() {
    assertThat(decide(started(null, PRIMARY), NOTHING)).isEqualTo(new Outcome.NotLost());
    assertThat(decide(started(FOLLOW.asPaused(), PRIMARY), NOTHING))
        .isEqualTo(new Outcome.Paused());
    assertThat(decide(ClusterState.EMPTY, NOTHING)).isEqualTo(new Outcome.NotLost());
  }
}
