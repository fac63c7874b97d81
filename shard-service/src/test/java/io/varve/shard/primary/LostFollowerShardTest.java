package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.events.Feature;
import io.varve.events.RecordHeader;
import io.varve.host.NodeWorld;
import io.varve.log.Appends;
import io.varve.rpc.ClusterCalls;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A shard of a follower whose log lacks its first operations, and whose only copy is lost. */
class LostFollowerShardTest extends PrimaryCopyWorld {

  private static final FollowRelation FOLLOW =
      new FollowRelation("remote", "books", "leader-uuid", "f1", 3);

  private void index(@Nullable FollowRelation follow) throws Exception {
    world.happened(new ClusterEvent.FeatureLevelRaised(Feature.FOLLOWER_BOOTSTRAP.since()));
    world.createIndex(Map.of("index.max_ngram_diff", "3"), MAPPING, follow);
    var _ = Appends.await(world.operations(), RecordHeader.fence(1, "n0"));
    var _ = Appends.await(world.operations(), RecordHeader.fence(2, "n0"));
    world.operations().truncateBefore(1);
  }

  private void assertDoesNotStart() throws IOException {
    PrimaryCopy copy = new PrimaryCopy(world.copy("n1"), 3, new WritePressure(1 << 20), null);
    open.add(copy);
    assertThatThrownBy(copy::start).isInstanceOf(IOException.class);
  }

  @Test
  void itsIndexIsReplacedByOneThatCopiesTheLeaderAgain() throws Exception {
    index(FOLLOW);

    assertDoesNotStart();

    assertThat(world.leader.lost).hasSize(1);
    ClusterCalls.LostHistory news = world.leader.lost.getFirst();
    assertThat(news.indexUuid()).isEqualTo(NodeWorld.SHARD.indexUuid());
    assertThat(news.leaderUuid()).isEqualTo("leader-uuid");
    assertThat(news.leaderSettings()).containsEntry("index.max_ngram_diff", "3");
    assertThat(news.leaderMapping()).isEqualTo(MAPPING);
    assertThat(news.reason()).contains("lost its only copy");
  }

  @Test
  void itWaitsWhileAnotherCopyIsOnANode() throws Exception {
    index(FOLLOW);
    world.happened(
        new ClusterEvent.CopiesChanged(
            NodeWorld.SHARD,
            List.of(
                new CopyRouting("copy-0", true, CopyRouting.State.INITIALIZING, "n1", ""),
                new CopyRouting("other", false, CopyRouting.State.INITIALIZING, "n2", ""))));

    assertDoesNotStart();

    assertThat(world.leader.lost).isEmpty();
  }

  @Test
  void aPausedFollowerAndARegularIndexAreNotReplaced() throws Exception {
    index(null);
    assertDoesNotStart();
    world.happened(new ClusterEvent.FollowChanged(NodeWorld.SHARD.indexUuid(), FOLLOW.asPaused()));
    assertDoesNotStart();

    assertThat(world.leader.lost).isEmpty();
  }
}
