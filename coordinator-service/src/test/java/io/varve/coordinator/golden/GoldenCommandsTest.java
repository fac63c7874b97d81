package io.varve.coordinator.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.AutoFollowPattern;
import io.varve.cluster.FollowOrigin;
import io.varve.cluster.FollowParameters;
import io.varve.cluster.Fork;
import io.varve.cluster.RerouteCommand;
import io.varve.cluster.Revival;
import io.varve.cluster.Templates;
import io.varve.control.command.AliasChange;
import io.varve.control.command.ClusterCommand;
import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ForkPlace;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands from coordinators to the leading one, and calls from nodes to coordinators. */
class GoldenCommandsTest {

  private static final String GROUP = "commands";
  private static final ShardId SHARD = new ShardId("books-uuid", 0);

  private record Named(String name, ClusterCommand command) {}

  private static List<Named> level1() {
    Templates.Content content =
        new Templates.Content(Map.of("index.hidden", "true"), "{}", Map.of());
    ClusterCommand.CreateIndex create =
        new ClusterCommand.CreateIndex(
            "books-2",
            Map.of("index.number_of_shards", "2"),
            "{}",
            Map.of("library", AliasMetadata.PLAIN),
            new ClusterCommand.Follow("eu", "books", "leader-uuid"),
            "<books-{now}>");
    StoredManifest stored = StoredManifest.claim(SHARD, 2, null);
    return List.of(
        new Named("create_index", create),
        new Named("roll_over", new ClusterCommand.RollOver("library", "books-1", create)),
        new Named(
            "restore_index",
            new ClusterCommand.RestoreIndex(GoldenEventsTest.index(), List.of(stored))),
        new Named("delete_indices", new ClusterCommand.DeleteIndices(List.of("a", "b"))),
        new Named(
            "update_aliases",
            new ClusterCommand.UpdateAliases(
                List.of(
                    new AliasChange(
                        AliasChange.Kind.ADD,
                        List.of("books"),
                        List.of("library"),
                        AliasMetadata.PLAIN,
                        null)))),
        new Named("close_indices", new ClusterCommand.CloseIndices(List.of("a"))),
        new Named("open_indices", new ClusterCommand.OpenIndices(List.of("a"))),
        new Named("block_writers", new ClusterCommand.BlockWriters("a")),
        new Named("release_writers", new ClusterCommand.ReleaseWriters("a", 3)),
        new Named("recall_writers", new ClusterCommand.RecallWriters("a", 3)),
        new Named(
            "put_legacy_template",
            new ClusterCommand.PutLegacyTemplate(
                "old", new Templates.Legacy(List.of("a*"), 1, null, content), true)),
        new Named(
            "put_index_template",
            new ClusterCommand.PutIndexTemplate(
                "new",
                new Templates.Composable(List.of("b*"), List.of("part"), 3L, null, null, content),
                false)),
        new Named(
            "put_component_template",
            new ClusterCommand.PutComponentTemplate(
                "part", new Templates.Component(content, 2L, "{}"), false)),
        new Named(
            "delete_template",
            new ClusterCommand.DeleteTemplate(ClusterCommand.TemplateKind.COMPONENT, "p*")),
        new Named("put_mapping", new ClusterCommand.PutMapping(List.of("a"), "{}")),
        new Named(
            "new_fields",
            new ClusterCommand.NewFields(new ClusterCalls.NewFields("books-uuid", 2, "{}"))),
        new Named(
            "update_index_settings",
            new ClusterCommand.UpdateIndexSettings(
                List.of("a"), Map.of("index.number_of_replicas", "2"), true)),
        new Named(
            "update_cluster_settings",
            new ClusterCommand.UpdateClusterSettings(Map.of("a", "1"), Map.of("b", "2"))),
        new Named(
            "reroute",
            new ClusterCommand.Reroute(
                List.of(
                    new RerouteCommand.Move("a", 0, "n1", "n2"),
                    new RerouteCommand.Cancel("a", 0, "n1", true),
                    new RerouteCommand.AllocateReplica("a", 0, "n1"),
                    new RerouteCommand.AllocatePrimary("a", 0, "n1", true, true)),
                true)),
        new Named(
            "new_term",
            new ClusterCommand.NewTerm(new ClusterCalls.NewTerm(SHARD, "c1", "n1", 3, "why"))),
        new Named(
            "copy_started",
            new ClusterCommand.CopyStarted(new ClusterCalls.CopyStarted(SHARD, "c1", "i1", 3))),
        new Named(
            "copy_failed",
            new ClusterCommand.CopyFailed(new ClusterCalls.CopyFailed(SHARD, "c1", "i1", "why"))));
  }

  private static List<Named> level2() {
    return List.of(
        new Named("raise_feature_level", new ClusterCommand.RaiseFeatureLevel(2)),
        new Named(
            "create_index_with_follow_parameters",
            new ClusterCommand.CreateIndex(
                "mine",
                Map.of("index.number_of_shards", "2"),
                "{}",
                new ClusterCommand.Follow(
                    "eu", "books", "leader-uuid", FollowParameters.DEFAULTS))),
        new Named("pause_follow", new ClusterCommand.PauseFollow("mine")),
        new Named(
            "resume_follow", new ClusterCommand.ResumeFollow("mine", FollowParameters.DEFAULTS)),
        new Named("unfollow", new ClusterCommand.Unfollow("mine")),
        new Named(
            "update_follower",
            new ClusterCommand.UpdateFollower(
                "mine-uuid",
                "books-uuid",
                "{}",
                Map.of("index.max_ngram_diff", "2"),
                Map.of("library", AliasMetadata.PLAIN),
                0)),
        new Named(
            "update_follower_with_mapping_version",
            new ClusterCommand.UpdateFollower(
                "mine-uuid", "books-uuid", "{}", Map.of(), Map.of(), 3)),
        new Named(
            "stop_follower",
            new ClusterCommand.StopFollower("mine-uuid", "books-uuid", "an unknown event")),
        new Named("reopen_copy", new ClusterCommand.ReopenCopy("mine-uuid")),
        new Named(
            "revive_shard",
            new ClusterCommand.ReviveShard(SHARD, 6, "node-1", new Revival(7, 300, 5))),
        new Named("skip_operation", new ClusterCommand.SkipOperation("mine", 1, 42, 17)),
        new Named(
            "create_index_with_origins",
            new ClusterCommand.CreateIndex(
                "mine",
                Map.of(),
                "{}",
                new ClusterCommand.Follow(
                    "eu",
                    "books",
                    "leader-uuid",
                    FollowParameters.DEFAULTS,
                    List.of(new FollowOrigin("eu-uuid", "leader-uuid"))))),
        new Named(
            "put_auto_follow",
            new ClusterCommand.PutAutoFollow(
                "logs",
                new AutoFollowPattern(
                    "eu",
                    List.of("logs-*"),
                    List.of(),
                    null,
                    Map.of("index.number_of_replicas", "0"),
                    null,
                    true,
                    Set.of("u1")))),
        new Named("delete_auto_follow", new ClusterCommand.DeleteAutoFollow("logs")),
        new Named("activate_auto_follow", new ClusterCommand.ActivateAutoFollow("logs", false)),
        new Named(
            "handle_auto_follow",
            new ClusterCommand.HandleAutoFollow("logs", List.of("u2"), List.of("u1"))),
        new Named(
            "copy_started_with_fork",
            new ClusterCommand.CopyStarted(
                new ClusterCalls.CopyStarted(SHARD, "c1", "i1", 3, GoldenWireTest.FORK))),
        new Named(
            "copy_started_admitted",
            new ClusterCommand.CopyStarted(
                new ClusterCalls.CopyStarted(SHARD, "c1", "i1", 0, null, 4L))),
        new Named("renew_lease", new ClusterCommand.RenewLease(GoldenWireTest.RENEWAL)),
        new Named(
            "end_leases", new ClusterCommand.EndLeases("books-uuid", List.of("eu-uuid-copy-uuid"))),
        new Named("lease_over_limit", new ClusterCommand.LeaseOverLimit(GoldenWireTest.OVER_LIMIT)),
        new Named(
            "replace_follower",
            new ClusterCommand.ReplaceFollower(
                new ClusterCalls.LostHistory(
                    "mine-uuid",
                    "books-uuid",
                    Map.of("index.number_of_shards", "2"),
                    "{}",
                    "the log begins at offset 9"))),
        new Named("end_replacement", new ClusterCommand.EndReplacement("successor-uuid")),
        new Named("promote", new ClusterCommand.Promote("copy")),
        new Named(
            "fail_back",
            new ClusterCommand.FailBack(
                "books",
                new ClusterCommand.Follow(
                    "west", "copy", "copy-uuid", null, List.of(new FollowOrigin("w", "copy-uuid"))),
                Map.of("index.number_of_shards", "2"),
                "{}",
                new Fork(
                    "east",
                    "books",
                    "books-uuid",
                    Map.of(0, new ForkPlace(900, 4, 299, 77L, 310, 5))))));
  }

  private static List<Named> level3() {
    return List.of(
        new Named(
            "copy_started_proven_from",
            new ClusterCommand.CopyStarted(GoldenWireTest.PROVEN_START)));
  }

  private static Stream<Named> all() {
    return Stream.of(level1(), level2(), level3()).flatMap(List::stream);
  }

  static Stream<Golden.Sample> samples() {
    return Stream.of(
            level1().stream().map(named -> sample(1, named)),
            level2().stream().map(named -> sample(2, named)),
            level3().stream().map(named -> sample(3, named)))
        .flatMap(samples -> samples);
  }

  private static Golden.Sample sample(int level, Named named) {
    return Golden.Sample.json(level, GROUP, named.name(), named.command(), ClusterCommand.class);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void aCommandIsWrittenAndReadAsItsLevelHasIt(Golden.Sample sample) throws IOException {
    Golden.matches(sample);
  }

  @Test
  void eachKindOfCommandHasItsGoldenBytes() throws IOException {
    assertThat(all().<Class<?>>map(named -> named.command().getClass()).collect(Collectors.toSet()))
        .isEqualTo(Set.of(ClusterCommand.class.getPermittedSubclasses()));
    Golden.assertAllTested(GROUP, samples());
  }
}
