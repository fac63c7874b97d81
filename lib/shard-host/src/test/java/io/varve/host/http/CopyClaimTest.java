package io.varve.host.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.host.http.CopyClaim.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A shard with a primary on the node {@code p} and a replica on the node {@code r}. */
class CopyClaimTest {

  static final ShardId SHARD = new ShardId("uuid-of-books", 0);
  private static final Set<String> NODES = Set.of("p", "r", "target", "other");

  private ClusterState state = twoCopies();

  /** As seen by the node of the replica, from the first state on. */
  private final FormerPrimaries former = new FormerPrimaries("r");

  CopyClaimTest() {
    former.learn(state);
  }

  private void apply(ClusterEvent event) {
    state = state.apply(event);
    former.learn(state);
  }

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

  private Verdict judge(CopyClaim claim, String node) {
    return claim.judge(state, former, SHARD, node);
  }

  private Set<String> nodesThatMayClaim(CopyClaim claim) {
    return NODES.stream()
        .filter(node -> judge(claim, node) instanceof Verdict.Permitted)
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
    apply(new ClusterEvent.ReplicaPromoted(SHARD, "replica", 4, "test"));
    assertThat(nodesOfPrimary()).containsExactly("r");
  }

  @Test
  void theTargetThatTakesOverActsFromTheBeginningOfTheHandOver() {
    apply(new ClusterEvent.RelocationStarted(SHARD, "primary", "moved", "target"));
    assertThat(nodesOfPrimary()).containsExactly("p");
    apply(new ClusterEvent.HandOverStarted(SHARD, "moved", 4));
    assertThat(nodesOfPrimary()).containsExactlyInAnyOrder("p", "target");
    apply(new ClusterEvent.RelocationFinished(SHARD, "moved"));
    assertThat(nodesOfPrimary()).containsExactly("target");
  }

  @Test
  void whileThereIsNoPrimaryNobodyActsForIt() {
    apply(new ClusterEvent.CopyUnassigned(SHARD, "primary", "test"));
    assertThat(nodesOfPrimary()).isEmpty();
  }

  @Test
  void onlyTheNodeOfACopyActsForThatCopy() {
    assertThat(nodesThatMayClaim("primary")).containsExactly("p");
    assertThat(nodesThatMayClaim("replica")).containsExactly("r");
    apply(new ClusterEvent.RelocationStarted(SHARD, "replica", "moved", "target"));
    assertThat(nodesThatMayClaim("moved")).containsExactly("target");
    assertThat(nodesThatMayClaim("replica")).containsExactly("r");
  }

  @Test
  void aCopyOrShardThatTheStateDoesNotHaveRefusesNobody() {
    assertThat(nodesThatMayClaim("not-known-yet")).isEqualTo(NODES);
    ShardId deleted = new ShardId("gone", 0);
    assertThat(
            Stream.of(new CopyClaim.Primary(), new CopyClaim.Copy("primary"))
                .map(claim -> claim.judge(state, former, deleted, "other")))
        .allMatch(Verdict.Permitted.class::isInstance);
  }

  @Test
  void theErrorNamesTheCallerAndWhatItMayNotDo() {
    assertThat(judge(new CopyClaim.Primary(), "other"))
        .isInstanceOfSatisfying(
            Verdict.Forbidden.class,
            refused -> {
              assertThat(refused.error().status()).isEqualTo(403);
              assertThat(refused.error().type()).isEqualTo("security_exception");
              assertThat(refused.error().reason())
                  .contains("[other]", "may not act for the primary of " + SHARD);
            });
    assertThat(judge(new CopyClaim.Copy("replica"), "p"))
        .isInstanceOfSatisfying(
            Verdict.Forbidden.class,
            refused ->
                assertThat(refused.error().reason())
                    .contains("[p]", "may not act for the node [r]"));
  }

  @Test
  void aFormerPrimaryIsToldThatItsTermIsStale() {
    apply(new ClusterEvent.ReplicaPromoted(SHARD, "replica", 4, "test"));
    assertThat(judge(new CopyClaim.Primary(), "p"))
        .isInstanceOfSatisfying(
            Verdict.StaleTerm.class,
            refused -> {
              assertThat(refused.error().status()).isEqualTo(409);
              assertThat(refused.error().type()).isEqualTo("illegal_state_exception");
              assertThat(refused.error().reason())
                  .startsWith("stale primary term: the node [p]")
                  .endsWith("before the term [4]");
            });
  }

  @Test
  void aFormerPrimaryIsAStrangerToTheCopiesOfOthers() {
    apply(new ClusterEvent.ReplicaPromoted(SHARD, "replica", 4, "test"));
    assertThat(judge(new CopyClaim.Copy("replica"), "p")).isInstanceOf(Verdict.Forbidden.class);
  }

  /**
   * What happens to the shard, and what each node then is as its primary.
   *
   * @param verdicts of p, r, target and other
   */
  record History(String name, String verdicts, List<ClusterEvent> events) {

    static History of(String name, String verdicts, ClusterEvent... events) {
      return new History(name, verdicts, List.of(events));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static List<History> histories() {
    return List.of(
        History.of("nothing", "p permitted, r forbidden, target forbidden, other forbidden"),
        History.of(
            "promoted",
            "p stale, r permitted, target forbidden, other forbidden",
            new ClusterEvent.ReplicaPromoted(SHARD, "replica", 4, "test")),
        History.of(
            "promoted and back",
            "p permitted, r stale, target forbidden, other forbidden",
            new ClusterEvent.ReplicaPromoted(SHARD, "replica", 4, "test"),
            new ClusterEvent.ReplicaPromoted(SHARD, "primary", 5, "test")),
        History.of(
            "primary lost",
            "p stale, r forbidden, target forbidden, other forbidden",
            new ClusterEvent.CopyUnassigned(SHARD, "primary", "test")),
        History.of(
            "primary lost and assigned again",
            "p permitted, r forbidden, target forbidden, other forbidden",
            new ClusterEvent.CopyUnassigned(SHARD, "primary", "test"),
            new ClusterEvent.PrimaryAssigned(SHARD, "again", "p", 4)),
        History.of(
            "primary lost and assigned elsewhere",
            "p stale, r forbidden, target permitted, other forbidden",
            new ClusterEvent.CopyUnassigned(SHARD, "primary", "test"),
            new ClusterEvent.PrimaryAssigned(SHARD, "again", "target", 4)),
        History.of(
            "relocating",
            "p permitted, r forbidden, target forbidden, other forbidden",
            new ClusterEvent.RelocationStarted(SHARD, "primary", "moved", "target")),
        History.of(
            "handing over",
            "p permitted, r forbidden, target permitted, other forbidden",
            new ClusterEvent.RelocationStarted(SHARD, "primary", "moved", "target"),
            new ClusterEvent.HandOverStarted(SHARD, "moved", 4)),
        History.of(
            "relocated",
            "p stale, r forbidden, target permitted, other forbidden",
            new ClusterEvent.RelocationStarted(SHARD, "primary", "moved", "target"),
            new ClusterEvent.HandOverStarted(SHARD, "moved", 4),
            new ClusterEvent.RelocationFinished(SHARD, "moved")),
        History.of(
            "hand over cancelled",
            "p permitted, r forbidden, target stale, other forbidden",
            new ClusterEvent.RelocationStarted(SHARD, "primary", "moved", "target"),
            new ClusterEvent.HandOverStarted(SHARD, "moved", 4),
            new ClusterEvent.RelocationCancelled(SHARD, "moved", 5, "test")),
        History.of(
            "without a copy here",
            "p forbidden, r forbidden, target permitted, other forbidden",
            new ClusterEvent.CopyUnassigned(SHARD, "primary", "test"),
            new ClusterEvent.PrimaryAssigned(SHARD, "again", "target", 4),
            new ClusterEvent.CopyUnassigned(SHARD, "replica", "test")));
  }

  @ParameterizedTest
  @MethodSource("histories")
  void aFormerPrimaryIsStaleAndAnyOtherNodeIsForbidden(History history) {
    history.events().forEach(this::apply);
    assertThat(
            Stream.of("p", "r", "target", "other")
                .map(node -> node + " " + word(judge(new CopyClaim.Primary(), node)))
                .collect(Collectors.joining(", ")))
        .isEqualTo(history.verdicts());
  }

  private static String word(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Permitted _ -> "permitted";
      case Verdict.StaleTerm _ -> "stale";
      case Verdict.Forbidden _ -> "forbidden";
    };
  }

  @Test
  void theNewestFormerPrimariesAreRememberedInWhateverOrderStatesAreLearned() {
    List<ClusterState> states = new ArrayList<>(List.of(state));
    for (int term = 4; term < 8 + FormerPrimaries.MOST; term++) {
      apply(
          new ClusterEvent.CopyUnassigned(
              SHARD, state.shard(SHARD).orElseThrow().primary().copyId(), "test"));
      apply(new ClusterEvent.PrimaryAssigned(SHARD, "copy-" + term, "node-" + term, term));
      states.add(state);
    }
    former.learn(states.getFirst());
    int present = 7 + FormerPrimaries.MOST;
    assertThat(former.has(SHARD, "p")).isFalse();
    assertThat(former.has(SHARD, "node-" + present)).isFalse();
    for (int term = 4; term < present; term++) {
      assertThat(former.has(SHARD, "node-" + term))
          .as("term %d", term)
          .isEqualTo(term >= present - FormerPrimaries.MOST);
    }
  }

  @Test
  void aDeletedIndexIsForgotten() {
    apply(new ClusterEvent.ReplicaPromoted(SHARD, "replica", 4, "test"));
    assertThat(former.has(SHARD, "p")).isTrue();
    apply(new ClusterEvent.IndexDeleted(SHARD.indexUuid()));
    assertThat(former.has(SHARD, "p")).isFalse();
  }
}
