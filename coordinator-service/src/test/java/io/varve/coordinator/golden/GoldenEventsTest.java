package io.varve.coordinator.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.AutoFollowPattern;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSnapshot;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.Failback;
import io.varve.cluster.FollowOrigin;
import io.varve.cluster.FollowParameters;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.cluster.Fork;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Relocation;
import io.varve.cluster.Replacement;
import io.varve.cluster.RetentionLease;
import io.varve.cluster.Revival;
import io.varve.cluster.ShardRouting;
import io.varve.cluster.Templates;
import io.varve.events.ShardId;
import io.varve.rpc.ForkPlace;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The values of records in the cluster log. */
class GoldenEventsTest {

  private static final String GROUP = "events";
  private static final ShardId SHARD = new ShardId("books-uuid", 0);

  private static final Templates.Content CONTENT =
      new Templates.Content(
          Map.of("index.hidden", "true"), "{}", Map.of("all", AliasMetadata.PLAIN));

  private record Named(String name, ClusterEvent event) {}

  private static Map<String, @Nullable AliasMetadata> aliases() {
    Map<String, @Nullable AliasMetadata> aliases = new HashMap<>();
    aliases.put("gone", null);
    return aliases;
  }

  static IndexMetadata index() {
    ShardRouting shard =
        new ShardRouting(
            SHARD,
            3,
            List.of(
                new CopyRouting("c1", true, CopyRouting.State.STARTED, "n1", "INDEX_CREATED"),
                CopyRouting.unassigned("c2", false, "NODE_LEFT"),
                CopyRouting.unassignedForSearch("c3", "INDEX_CREATED")),
            List.of(
                new Relocation(
                    "c1",
                    new CopyRouting("c4", false, CopyRouting.State.INITIALIZING, "n2", "MOVED"),
                    4)));
    return new IndexMetadata(
        "books",
        "books-uuid",
        1_700_000_000_000L,
        Map.of("index.number_of_replicas", "1"),
        2,
        "{\"properties\":{\"title\":{\"type\":\"text\"}}}",
        3,
        new FollowRelation("eu", "books", "leader-uuid", "n1", 4),
        List.of(shard),
        IndexMetadata.Access.of(
            Map.of("library", new AliasMetadata("{\"match_all\":{}}", "1", "1,2", true, false))));
  }

  private static List<Named> level1() {
    NodeInfo node =
        new NodeInfo(
            "n1", "node-1", "i1", Set.of("primary"), "http://n1:9300", Map.of("zone", "a"));
    Map<String, @Nullable String> settings = new HashMap<>();
    settings.put("index.refresh_interval", null);
    return List.of(
        new Named("cluster_formed", new ClusterEvent.ClusterFormed("test", "cluster-uuid")),
        new Named("node_joined", new ClusterEvent.NodeJoined(node)),
        new Named("node_left", new ClusterEvent.NodeLeft("n1", "silent for 5000 ms")),
        new Named("index_created", new ClusterEvent.IndexCreated(index())),
        new Named("index_deleted", new ClusterEvent.IndexDeleted("books-uuid")),
        new Named("index_closed", new ClusterEvent.IndexClosed("books-uuid")),
        new Named("index_opened", new ClusterEvent.IndexOpened("books-uuid")),
        new Named(
            "index_rolled_over",
            new ClusterEvent.IndexRolledOver(
                index(),
                new ClusterEvent.AliasesChanged(Map.of("books-uuid", aliases()), List.of()))),
        new Named(
            "aliases_changed",
            new ClusterEvent.AliasesChanged(Map.of("books-uuid", aliases()), List.of("u2"))),
        new Named(
            "templates_changed",
            new ClusterEvent.TemplatesChanged(
                Map.of("old", new Templates.Legacy(List.of("a*"), 1, null, CONTENT)),
                Map.of(
                    "new",
                    new Templates.Composable(
                        List.of("b*"), List.of("part"), 3L, null, "{\"by\":\"us\"}", null)),
                Map.of("part", new Templates.Component(CONTENT, 2L, null)))),
        new Named(
            "mapping_changed", new ClusterEvent.MappingChanged("books-uuid", 2, "{\"a\":\"ü\"}")),
        new Named(
            "index_settings_changed",
            new ClusterEvent.IndexSettingsChanged("books-uuid", 2, settings)),
        new Named(
            "cluster_settings_changed",
            new ClusterEvent.ClusterSettingsChanged(Map.of("a", "1"), Map.of("b", "2"))),
        new Named("primary_assigned", new ClusterEvent.PrimaryAssigned(SHARD, "c1", "n1", 3)),
        new Named("replica_assigned", new ClusterEvent.ReplicaAssigned(SHARD, "c0", "c1", "n1")),
        new Named("replica_promoted", new ClusterEvent.ReplicaPromoted(SHARD, "c1", 4, "why")),
        new Named("copy_started", new ClusterEvent.CopyStarted(SHARD, "c1", 3)),
        new Named("copy_unassigned", new ClusterEvent.CopyUnassigned(SHARD, "c1", "NODE_LEFT")),
        new Named(
            "copies_changed",
            new ClusterEvent.CopiesChanged(
                SHARD, List.of(CopyRouting.unassigned("c1", true, "INDEX_CREATED")))),
        new Named(
            "relocation_started", new ClusterEvent.RelocationStarted(SHARD, "c1", "c2", "n2")),
        new Named("hand_over_started", new ClusterEvent.HandOverStarted(SHARD, "c2", 4)),
        new Named("relocation_finished", new ClusterEvent.RelocationFinished(SHARD, "c2")),
        new Named(
            "relocation_cancelled", new ClusterEvent.RelocationCancelled(SHARD, "c2", 5, "why")),
        new Named("writers_released", new ClusterEvent.WritersReleased("books-uuid")),
        new Named("follow_assigned", new ClusterEvent.FollowAssigned("books-uuid", null, 2)),
        new Named(
            "together",
            ClusterEvent.together(
                List.of(new ClusterEvent.IndexDeleted("u1"), new ClusterEvent.IndexClosed("u2")))));
  }

  private static List<Named> level2() {
    return List.of(
        new Named("feature_level_raised", new ClusterEvent.FeatureLevelRaised(2)),
        new Named(
            "follow_changed",
            new ClusterEvent.FollowChanged(
                "books-uuid",
                new FollowRelation(
                    "eu", "books", "leader-uuid", null, 5, FollowParameters.DEFAULTS, true))),
        new Named(
            "follow_changed_to_none",
            new ClusterEvent.FollowChanged(
                "books-uuid", null, new Fork("eu", "books", "leader-uuid", Map.of()))),
        new Named("shard_forked", new ClusterEvent.ShardForked(SHARD, GoldenWireTest.FORK)),
        new Named("shard_revived", revived()),
        new Named("snapshot_part_with_revival", snapshotWithRevival()),
        new Named("snapshot_part_with_fork", snapshotWithFork()),
        new Named("snapshot_part", snapshot()),
        new Named(
            "follow_changed_with_origins",
            new ClusterEvent.FollowChanged(
                "books-uuid",
                new FollowRelation(
                    "eu",
                    "books",
                    "leader-uuid",
                    null,
                    5,
                    null,
                    false,
                    List.of(
                        new FollowOrigin("eu-uuid", "leader-uuid"),
                        new FollowOrigin("us-uuid", "first-uuid"))))),
        new Named(
            "auto_follow_changed", new ClusterEvent.AutoFollowChanged(Map.of("logs", pattern()))),
        new Named(
            "auto_follow_handled",
            new ClusterEvent.AutoFollowHandled("logs", List.of("u3"), List.of("u1"))),
        new Named("snapshot_part_with_auto_follow", snapshotWithAutoFollow()),
        new Named("leases_changed", new ClusterEvent.LeasesChanged(Map.of("books-uuid", leases()))),
        new Named("snapshot_part_with_leases", snapshotWithLeases()),
        new Named(
            "follow_changed_replacing",
            new ClusterEvent.FollowChanged(
                "books-uuid",
                Replacement.begin(
                    "former-uuid",
                    new FollowRelation("eu", "books", "leader-uuid", null, 5),
                    "leader-uuid"))),
        new Named(
            "follower_replaced", new ClusterEvent.FollowerReplaced("former-uuid", "books-uuid")),
        new Named(
            "follow_status_changed",
            new ClusterEvent.FollowStatusChanged(
                "books-uuid",
                FollowStatus.NEW
                    .withLeaderMappingVersion(3)
                    .withCopiesToReopen(List.of("c1", "c2")))),
        new Named(
            "follow_status_changed_reopening",
            new ClusterEvent.FollowStatusChanged(
                "books-uuid",
                FollowStatus.NEW.reopening(
                    List.of("c1"), Map.of("index.mapping.ignore_malformed", "true")))),
        new Named(
            "follow_changed_stopped",
            new ClusterEvent.FollowChanged(
                "books-uuid",
                new FollowRelation("eu", "books", "leader-uuid", "n1", 5)
                    .withStatus(
                        new FollowStatus(
                            3,
                            List.of(),
                            Map.of(1, new FollowStatus.SkippedOperations(42, 17, 2)),
                            null))
                    .asStopped("an unknown event"))),
        new Named("operation_skipped", new ClusterEvent.OperationSkipped(SHARD, 42, 17)),
        new Named(
            "follow_changed_failback",
            new ClusterEvent.FollowChanged(
                "books-uuid",
                Replacement.failback(
                    new FollowRelation("west", "copy", "copy-uuid", null, 5),
                    new Failback(
                        "former-uuid", Map.of(0, new ForkPlace(900, 4, 299, 77L, 310, 5)))))),
        new Named("index_created_never_started", new ClusterEvent.IndexCreated(neverStarted())),
        new Named(
            "index_rolled_over_never_started",
            new ClusterEvent.IndexRolledOver(
                neverStarted(),
                new ClusterEvent.AliasesChanged(Map.of("books-uuid", aliases()), List.of()))),
        new Named("snapshot_part_never_started", snapshotOfNeverStarted()));
  }

  private static IndexMetadata neverStarted() {
    ShardRouting shard =
        new ShardRouting(
            SHARD,
            0,
            List.of(
                CopyRouting.unassigned("c1", true, "INDEX_CREATED"),
                CopyRouting.unassigned("c2", false, "INDEX_CREATED")));
    return index().withFollow(null).withRouting(List.of(shard.asNeverStarted()));
  }

  private static ClusterEvent.SnapshotPart snapshotOfNeverStarted() {
    ClusterState state =
        ClusterState.EMPTY
            .apply(new ClusterEvent.FeatureLevelRaised(2))
            .apply(new ClusterEvent.IndexCreated(neverStarted()));
    return ClusterSnapshot.of(state, List.of()).parts().getFirst();
  }

  private static AutoFollowPattern pattern() {
    return new AutoFollowPattern(
        "eu",
        List.of("logs-*"),
        List.of("logs-x*"),
        "{{leader_index}}-copy",
        Map.of("index.number_of_replicas", "0"),
        FollowParameters.DEFAULTS,
        true,
        Set.of("u1", "u2"));
  }

  private static ClusterEvent.SnapshotPart snapshotWithAutoFollow() {
    ClusterState state =
        ClusterState.EMPTY
            .apply(new ClusterEvent.FeatureLevelRaised(2))
            .apply(new ClusterEvent.AutoFollowChanged(Map.of("logs", pattern())));
    return ClusterSnapshot.of(state, List.of()).parts().getFirst();
  }

  private static Map<String, @Nullable RetentionLease> leases() {
    Map<String, @Nullable RetentionLease> leases = new TreeMap<>();
    leases.put("eu-active", new RetentionLease(7, 1_700_000_000_000L, Map.of(0, 300L, 1, 5L)));
    leases.put(
        "eu-ended",
        new RetentionLease(8, 1_700_000_000_000L, Map.of(0, 9L))
            .ended(RetentionLease.End.EXPIRED, 1_700_000_000_001L));
    leases.put(
        "eu-limited",
        new RetentionLease(9, 1_700_000_000_000L, Map.of(0, 9L, 1, 5L)).overLimit(0, 900));
    leases.put("eu-gone", null);
    return leases;
  }

  private static ClusterEvent.SnapshotPart snapshotWithFork() {
    ClusterState state =
        ClusterState.EMPTY
            .apply(new ClusterEvent.FeatureLevelRaised(2))
            .apply(new ClusterEvent.IndexCreated(index()))
            .apply(
                new ClusterEvent.FollowChanged(
                    "books-uuid", null, new Fork("eu", "books", "leader-uuid", Map.of())))
            .apply(new ClusterEvent.ShardForked(SHARD, GoldenWireTest.FORK));
    return ClusterSnapshot.of(state, List.of()).parts().getFirst();
  }

  private static ClusterEvent revived() {
    return new ClusterEvent.ShardRevived(SHARD, "copy-9", "node-1", new Revival(7, 300, 6));
  }

  private static ClusterEvent.SnapshotPart snapshotWithRevival() {
    ClusterState state =
        ClusterState.EMPTY
            .apply(new ClusterEvent.FeatureLevelRaised(2))
            .apply(new ClusterEvent.IndexCreated(index()))
            .apply(revived());
    return ClusterSnapshot.of(state, List.of()).parts().getFirst();
  }

  private static ClusterEvent.SnapshotPart snapshotWithLeases() {
    ClusterState state =
        ClusterState.EMPTY
            .apply(new ClusterEvent.FeatureLevelRaised(2))
            .apply(new ClusterEvent.IndexCreated(index()))
            .apply(new ClusterEvent.LeasesChanged(Map.of("books-uuid", leases())));
    return ClusterSnapshot.of(state, List.of()).parts().getFirst();
  }

  /**
   * The snapshot of a cluster with one object of each kind, so that the form of the state is
   * covered too.
   */
  private static ClusterEvent.SnapshotPart snapshot() {
    ClusterState state = ClusterState.EMPTY.ledBy("n1", 7);
    for (Named named : level1().subList(0, 2)) {
      state = state.apply(named.event());
    }
    state =
        state
            .apply(new ClusterEvent.IndexCreated(index()))
            .apply(new ClusterEvent.ClusterSettingsChanged(Map.of("a", "1"), Map.of("b", "2")))
            .apply(
                new ClusterEvent.TemplatesChanged(
                    Map.of("old", new Templates.Legacy(List.of("a*"), 1, null, CONTENT)),
                    Map.of(),
                    Map.of()))
            .apply(new ClusterEvent.FeatureLevelRaised(2));
    return ClusterSnapshot.of(state, List.of("deleted-uuid")).parts().getFirst();
  }

  /** The members of a cluster at the newest level have the versions at which they joined. */
  private static ClusterEvent.SnapshotPart snapshotWithMemberSince() {
    ClusterState state =
        ClusterState.EMPTY
            .apply(new ClusterEvent.FeatureLevelRaised(3))
            .apply(level1().get(1).event());
    return ClusterSnapshot.of(state, List.of()).parts().getFirst();
  }

  private static List<Named> level3() {
    return List.of(new Named("snapshot_part_with_member_since", snapshotWithMemberSince()));
  }

  private static Stream<Named> all() {
    return Stream.of(level1(), level2(), level3()).flatMap(List::stream);
  }

  static Stream<Golden.Sample> samples() {
    return Stream.concat(
        Stream.of(level1(), level2())
            .flatMap(List::stream)
            .map(named -> sample(named.event().since(), named)),
        level3().stream().map(named -> sample(3, named)));
  }

  private static Golden.Sample sample(int level, Named named) {
    return Golden.Sample.json(level, GROUP, named.name(), named.event(), ClusterEvent.class);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void anEventIsWrittenAndReadAsItsLevelHasIt(Golden.Sample sample) throws IOException {
    Golden.matches(sample);
  }

  @Test
  void eachKindOfEventHasItsGoldenBytes() throws IOException {
    assertThat(all().<Class<?>>map(named -> named.event().getClass()).collect(Collectors.toSet()))
        .isEqualTo(Set.of(ClusterEvent.class.getPermittedSubclasses()));
    Golden.assertAllTested(GROUP, samples());
  }
}
