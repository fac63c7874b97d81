package io.varve.control.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.RerouteCommand;
import io.varve.cluster.ShardRouting;
import io.varve.control.Membership;
import io.varve.control.allocation.AllocationDeciders.Verdict;
import io.varve.control.allocation.Reconciler.Situation;
import io.varve.events.NodeHeartbeat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where copies go while nodes of several versions are in the cluster. */
class NodeVersionTest extends ReconcilerWorld {

  private static final String OLD = "10.5/2";
  private static final String NEW = "10.6/2";

  /** The version {@code -} is that of a release that announces none. */
  private static NodeInfo node(String id, String role, String version) {
    return new NodeInfo(
        id,
        id,
        id + "-" + version,
        Set.of(role),
        "http://" + id,
        version.equals("-") ? Map.of() : Map.of(NodeInfo.READER_VERSION_ATTRIBUTE, version));
  }

  private static IndexMetadata books(String type, int replicas) {
    return Clusters.index("books", 1, replicas)
        .withSettings(Map.of("index.replication.type", type), 2);
  }

  private static ShardRouting shard(ClusterState state) {
    return state.indices().get("books").shard(0);
  }

  private ClusterState started(IndexMetadata index, NodeInfo... nodes) {
    return startAll(settle(startAll(settle(create(Clusters.with(nodes), index), CALM)), CALM));
  }

  /** The process of a node is replaced by one of another version, before the node has left. */
  private static ClusterState replaced(ClusterState state, NodeInfo node) {
    Membership membership = new Membership(5_000, 5_000);
    return Clusters.apply(
        state,
        membership.changes(
            state, Map.of(node.nodeId(), new Membership.Sign(beat(node), 100)), _ -> 0, 100));
  }

  private static NodeHeartbeat beat(NodeInfo node) {
    NodeHeartbeat plain = Clusters.heartbeat(node);
    return new NodeHeartbeat(
        plain.nodeId(),
        plain.name(),
        plain.incarnation(),
        plain.roles(),
        plain.url(),
        0,
        plain.load(),
        node.attributes(),
        0,
        plain.featureLevels());
  }

  private static Verdict verdict(ClusterState state, CopyRouting copy, String nodeId) {
    return new AllocationDeciders(state, Set.of())
        .verdicts(shard(state), copy, state.nodes().get(nodeId)).stream()
            .filter(verdict -> verdict.decider().equals("node_version"))
            .findFirst()
            .orElseThrow();
  }

  private static @Nullable String nodeOfReplica(ClusterState state) {
    return shard(state).replicas().getFirst().nodeId();
  }

  @ParameterizedTest
  @CsvSource({
    "10.6/2, 10.5/2, false",
    "10.6/2, 10.6/1, false",
    "10.6/2, -, false",
    "10.6/2, 10.6/2, true",
    "10.5/2, 10.6/2, true",
    "-, 10.6/2, true",
    "-, -, true",
  })
  void aReplicaIsNotAllocatedToANodeThatIsOlderThanThatOfItsPrimary(
      String ofPrimary, String ofReplica, boolean allocated) {
    ClusterState state =
        started(
            books("SEGMENT", 1),
            node("p", NodeInfo.PRIMARY, ofPrimary),
            node("r", NodeInfo.REPLICA, ofReplica));

    assertThat("r".equals(nodeOfReplica(state))).isEqualTo(allocated);
  }

  @Test
  void theReasonNamesBothVersions() {
    ClusterState state =
        started(
            books("SEGMENT", 1),
            node("p", NodeInfo.PRIMARY, NEW),
            node("r", NodeInfo.REPLICA, "-"));

    assertThat(verdict(state, shard(state).replicas().getFirst(), "r"))
        .isEqualTo(
            new Verdict(
                "node_version",
                false,
                "the reader version [unknown] of the node is older than [10.6/2] of the node [p],"
                    + " which holds the primary: its segments could not be read here"));
  }

  @ParameterizedTest
  @CsvSource({"SEGMENT, false", "DOCUMENT, true"})
  void aPrimaryDoesNotMoveToANodeThatIsNewerThanThoseOfTheReadersOfItsSegments(
      String type, boolean allowed) {
    ClusterState state =
        started(books(type, 1), node("p", NodeInfo.PRIMARY, OLD), node("r", NodeInfo.REPLICA, OLD))
            .apply(new ClusterEvent.NodeJoined(node("q", NodeInfo.PRIMARY, NEW)));
    List<RerouteCommand> move = List.of(new RerouteCommand.Move("books", 0, "p", "q"));

    Verdict verdict = verdict(state, shard(state).primary(), "q");
    Reroute.Outcome outcome = new Reroute(() -> "id").plan(state, move).getFirst();

    assertThat(verdict.yes()).isEqualTo(allowed);
    assertThat(outcome.done()).isEqualTo(allowed);
    if (!allowed) {
      assertThat(verdict.explanation())
          .isEqualTo(
              "the reader version [10.6/2] of the node is newer than [10.5/2] of the node [r],"
                  + " which holds a copy that could not read the segments of a primary here");
    }
  }

  @Test
  void aPrimaryDoesNotMoveToANodeThatCouldNotReadItsSegments() {
    ClusterState state =
        started(books("SEGMENT", 0), node("p", NodeInfo.PRIMARY, NEW))
            .apply(new ClusterEvent.NodeJoined(node("q", NodeInfo.PRIMARY, OLD)));

    assertThat(verdict(state, shard(state).primary(), "q").explanation())
        .contains("is older than [10.6/2] of the node [p], which the primary leaves");
  }

  @Test
  void theReplicaOnTheOldestNodeIsPromoted() {
    ClusterState lost =
        started(
                books("SEGMENT", 3),
                node("p", NodeInfo.PRIMARY, OLD),
                node("a", NodeInfo.PRIMARY, NEW),
                node("b", NodeInfo.REPLICA, NEW),
                node("c", NodeInfo.REPLICA, OLD))
            .apply(new ClusterEvent.NodeLeft("p", "silent"));

    assertThat(shard(settle(lost, CALM)).primary().nodeId()).isEqualTo("c");
  }

  @Test
  void aPrimaryWhoseProcessBecameNewerHandsOverToAReplicaThatCouldNotReadIt() {
    ClusterState before =
        started(
            books("SEGMENT", 2),
            node("p", NodeInfo.PRIMARY, OLD),
            node("q", NodeInfo.REPLICA, OLD),
            node("r", NodeInfo.REPLICA, OLD));

    ShardRouting after = shard(settle(replaced(before, node("p", NodeInfo.PRIMARY, NEW)), CALM));

    assertThat(after.primary().nodeId()).isIn("q", "r");
    assertThat(after.primaryTerm()).isEqualTo(3);
    assertThat(after.copies())
        .as("the former primary stays as a replica")
        .anyMatch(copy -> !copy.primary() && copy.isOn("p") && copy.state() == State.INITIALIZING);
  }

  @ParameterizedTest
  @CsvSource({"SEGMENT, 10.6/2", "DOCUMENT, 10.5/2"})
  void otherwiseItStaysWhereItIs(String type, String ofReplica) {
    ClusterState before =
        started(
            books(type, 1),
            node("p", NodeInfo.PRIMARY, OLD),
            node("r", NodeInfo.REPLICA, ofReplica));

    ShardRouting after = shard(settle(replaced(before, node("p", NodeInfo.PRIMARY, NEW)), CALM));

    assertThat(after.primary().nodeId()).isEqualTo("p");
    assertThat(after.primaryTerm()).isEqualTo(2);
  }

  @Test
  void aReplicaThatIsNotActiveDoesNotKeepTheShardRed() {
    ClusterState state =
        settle(
            create(
                Clusters.with(node("p", NodeInfo.PRIMARY, OLD), node("r", NodeInfo.REPLICA, OLD)),
                books("SEGMENT", 1)),
            CALM);
    ClusterState left =
        state
            .apply(new ClusterEvent.NodeLeft("p", "silent"))
            .apply(new ClusterEvent.NodeJoined(node("q", NodeInfo.PRIMARY, NEW)));

    ClusterState later = settle(left, new Situation(Map.of("p", 0L), Set.of(), 600_000));

    assertThat(shard(later).primary().nodeId()).isEqualTo("q");
  }

  @Test
  void aNewPrimaryGoesToTheOldestNodeSoThatItsReplicaCanBeOnAnyOther() {
    ClusterState state =
        started(
            books("SEGMENT", 1),
            node("a", NodeInfo.PRIMARY, NEW),
            node("b", NodeInfo.PRIMARY, "-"),
            node("r", NodeInfo.REPLICA, "-"));

    assertThat(shard(state).primary().nodeId()).isEqualTo("b");
    assertThat(nodeOfReplica(state)).isEqualTo("r");
  }

  @Test
  void nothingMovesToANewerNodeBeforeTheReadersAreNewer() {
    ClusterState half =
        started(
                books("SEGMENT", 1).withSettings(Map.of("index.number_of_replicas", "1"), 3),
                node("p", NodeInfo.PRIMARY, "-"),
                node("r", NodeInfo.REPLICA, "-"))
            .apply(new ClusterEvent.NodeJoined(node("q", NodeInfo.PRIMARY, NEW)))
            .apply(
                new ClusterEvent.ClusterSettingsChanged(
                    Map.of("cluster.routing.allocation.exclude._name", "p"), Map.of()));

    assertThat(shard(settle(half, CALM)).relocations()).isEmpty();

    ClusterState upgraded = settle(replaced(half, node("r", NodeInfo.REPLICA, NEW)), CALM);
    assertThat(shard(upgraded).relocations())
        .singleElement()
        .returns("q", moving -> moving.target().nodeId());
  }
}
