package io.varve.host.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A shard with a primary on the node {@code p} and a replica on the node {@code r}. */
class CopyClaimTest {

  static final ShardId SHARD = new ShardId("uuid-of-books", 0);
  private static final Set<String> NODES = Set.of("p", "r", "target", "other");

  private ClusterState state = twoCopies();

  static ClusterState twoCopies() {
    return ClusterState.EMPTY
        .apply(new ClusterEvent.ClusterFormed("test", "uuid-of-test"))
        .apply(new ClusterEvent.IndexCreated(books()))
        .apply(new ClusterEvent.PrimaryAssigned(SHARD, "primary", "p", 3))
        .apply(new ClusterEvent.ReplicaAssigned(SHARD, "copy-1", "replica", "r"))
        .apply(new ClusterEvent.CopyStarted(SHARD, "primary", 3))
        .apply(new ClusterEvent.CopyStarted(SHARD, "replica", 3));
  }

  private static IndexMetadata books() {
    ShardRouting unassigned =
        new ShardRouting(
            SHARD,
            0,
            List.of(
                CopyRouting.unassigned("copy-0", true, "INDEX_CREATED"),
                CopyRouting.unassigned("copy-1", false, "INDEX_CREATED")));
    return new IndexMetadata(
        "books", SHARD.indexUuid(), 0, Map.of(), 1, "{}", 1, null, List.of(unassigned));
  }

  private Set<String> nodesThatMayClaim(CopyClaim claim) {
    return NODES.stream()
        .filter(node -> claim.refusal(state, SHARD, node).isEmpty())
        .collect(Collectors.toSet());
  }

  private Set<String> nodesThatMayClaim(String copyId) {
    return nodesThatMayClaim(new CopyClaim.Copy(copyId));
  }

  private Set<String> nodesOfPrimary() {
    return nodesThatMayClaim(new CopyClaim.Primary());
  }

  @Test
  void onlyTheNodeOfThePrimaryActsForIt() {
    assertThat(nodesOfPrimary()).containsExactly("p");
  }

  @Test
  void aPromotedReplicaActsAtOnceAndTheFormerPrimaryNoMore() {
    state = state.apply(new ClusterEvent.ReplicaPromoted(SHARD, "replica", 4, "test"));
    assertThat(nodesOfPrimary()).containsExactly("r");
  }

  @Test
  void theTargetThatTakesOverActsFromTheBeginningOfTheHandOver() {
    state = state.apply(new ClusterEvent.RelocationStarted(SHARD, "primary", "moved", "target"));
    assertThat(nodesOfPrimary()).containsExactly("p");
    state = state.apply(new ClusterEvent.HandOverStarted(SHARD, "moved", 4));
    assertThat(nodesOfPrimary()).containsExactlyInAnyOrder("p", "target");
    state = state.apply(new ClusterEvent.RelocationFinished(SHARD, "moved"));
    assertThat(nodesOfPrimary()).containsExactly("target");
  }

  @Test
  void whileThereIsNoPrimaryNobodyActsForIt() {
    state = state.apply(new ClusterEvent.CopyUnassigned(SHARD, "primary", "test"));
    assertThat(nodesOfPrimary()).isEmpty();
  }

  @Test
  void onlyTheNodeOfACopyActsForThatCopy() {
    assertThat(nodesThatMayClaim("primary")).containsExactly("p");
    assertThat(nodesThatMayClaim("replica")).containsExactly("r");
    state = state.apply(new ClusterEvent.RelocationStarted(SHARD, "replica", "moved", "target"));
    assertThat(nodesThatMayClaim("moved")).containsExactly("target");
    assertThat(nodesThatMayClaim("replica")).containsExactly("r");
  }

  @Test
  void aCopyOrShardThatTheStateDoesNotHaveRefusesNobody() {
    assertThat(nodesThatMayClaim("not-known-yet")).isEqualTo(NODES);
    ShardId deleted = new ShardId("gone", 0);
    assertThat(
            Stream.of(new CopyClaim.Primary(), new CopyClaim.Copy("primary"))
                .map(claim -> claim.refusal(state, deleted, "other")))
        .allMatch(Optional::isEmpty);
  }

  @Test
  void theErrorNamesTheCallerAndWhatItMayNotDo() {
    ErrorBody primary = new CopyClaim.Primary().refusal(state, SHARD, "other").orElseThrow();
    assertThat(primary.status()).isEqualTo(403);
    assertThat(primary.type()).isEqualTo("security_exception");
    assertThat(primary.reason()).contains("[other]", "may not act for the primary of " + SHARD);
    assertThat(new CopyClaim.Copy("replica").refusal(state, SHARD, "p").orElseThrow().reason())
        .contains("[p]", "may not act for the node [r]");
  }
}
