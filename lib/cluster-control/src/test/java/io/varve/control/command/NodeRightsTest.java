package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A primary on the node {@code p}, a replica on the node {@code r}, and a node without copies. */
class NodeRightsTest extends DecisionsWorld {

  private static final ShardId SHARD = new ShardId("uuid-books", 0);

  @BeforeEach
  void twoCopiesOnThreeNodes() {
    createBooks();
    for (String node : List.of("p", "r", "other")) {
      join(node, node + "-process");
    }
    ShardRouting shard = state.shard(SHARD).orElseThrow();
    state =
        state
            .apply(new ClusterEvent.PrimaryAssigned(SHARD, "primary", "p", 3))
            .apply(
                new ClusterEvent.ReplicaAssigned(
                    SHARD, shard.copies().get(1).copyId(), "replica", "r"));
  }

  private void join(String node, String incarnation) {
    state =
        state.apply(
            new ClusterEvent.NodeJoined(
                new NodeInfo(node, node, incarnation, Set.of(NodeInfo.PRIMARY), "http://" + node)));
  }

  private boolean may(String node, ClusterCommand command) {
    return NodeRights.refusal(state, command, node)
        .filter(error -> {
          assertThat(NodeRights.isRefusal(error)).isTrue();
          return true;
        })
        .isEmpty();
  }

  private static ClusterCommand started(String copy, String incarnation) {
    return new ClusterCommand.CopyStarted(
        new ClusterCalls.CopyStarted(SHARD, copy, incarnation, 3));
  }

  private static ClusterCommand failed(String copy, String incarnation) {
    return new ClusterCommand.CopyFailed(
        new ClusterCalls.CopyFailed(SHARD, copy, incarnation, "disk full"));
  }

  private static Stream<ClusterCommand> reports(String copy, String incarnation) {
    return Stream.of(started(copy, incarnation), failed(copy, incarnation));
  }

  @Test
  void aNodeReportsItsOwnCopies() {
    assertThat(reports("primary", "p-process")).allMatch(report -> may("p", report));
    assertThat(reports("replica", "r-process")).allMatch(report -> may("r", report));
  }

  @Test
  void noNodeReportsTheCopyOfAnotherNotEvenThePrimary() {
    for (String incarnation : List.of("r-process", "p-process", "unknown")) {
      assertThat(reports("replica", incarnation)).noneMatch(report -> may("p", report));
      assertThat(reports("replica", incarnation)).noneMatch(report -> may("other", report));
      assertThat(reports("primary", incarnation)).noneMatch(report -> may("r", report));
    }
  }

  @Test
  void theCopyOfANodeThatHasLeftIsNotForOthers() {
    state = state.apply(new ClusterEvent.NodeLeft("r", "test"));
    state =
        state.apply(
            new ClusterEvent.ReplicaAssigned(
                SHARD, state.shard(SHARD).orElseThrow().copies().get(1).copyId(), "again", "r"));
    assertThat(reports("again", "other-process")).noneMatch(report -> may("other", report));
    assertThat(accept(started("again", "other-process"))).as("what is prevented").isNotEmpty();
  }

  @Test
  void noNodeSpeaksForTheProcessOfAnother() {
    assertThat(reports("not-known-yet", "r-process")).noneMatch(report -> may("p", report));
    assertThat(reports("not-known-yet", "r-process")).allMatch(report -> may("r", report));
  }

  @Test
  void aLateReportIsNoOffence() {
    assertThat(reports("gone", "p-process")).allMatch(report -> may("p", report));
    assertThat(reports("primary", "former-process")).allMatch(report -> may("p", report));
    ClusterCommand ofADeletedIndex =
        new ClusterCommand.CopyFailed(
            new ClusterCalls.CopyFailed(new ShardId("gone", 0), "c", "p-process", "x"));
    assertThat(may("p", ofADeletedIndex)).isTrue();
  }

  @Test
  void aNodeAsksForTermsForItself() {
    ClusterCommand own =
        new ClusterCommand.NewTerm(new ClusterCalls.NewTerm(SHARD, "primary", "p", 3, "x"));
    assertThat(may("p", own)).isTrue();
    assertThat(may("r", own)).isFalse();
  }

  @Test
  void aTargetOfARelocationReportsItself() {
    accept(started("replica", "r-process"));
    state = state.apply(new ClusterEvent.RelocationStarted(SHARD, "replica", "target", "other"));
    assertThat(reports("target", "other-process")).allMatch(report -> may("other", report));
    assertThat(reports("target", "r-process")).noneMatch(report -> may("r", report));
  }

  @Test
  void onlyAHolderOfTheShardReportsItsLeasesAndItsLostHistory() {
    ClusterCommand overLimit =
        new ClusterCommand.LeaseOverLimit(
            new ClusterCalls.LeaseOverLimit(SHARD, "follower", 1, 10));
    ClusterCommand lost =
        new ClusterCommand.ReplaceFollower(
            new ClusterCalls.LostHistory("uuid-books", "leader", Map.of(), "{}", "x"));
    for (ClusterCommand command : List.of(overLimit, lost)) {
      assertThat(may("p", command)).isTrue();
      assertThat(may("other", command)).isFalse();
    }
  }

  @Test
  void commandsAreNotForDataNodes() {
    ErrorBody error =
        NodeRights.refusal(state, new ClusterCommand.DeleteIndices(List.of("books")), "p")
            .orElseThrow();
    assertThat(error.reason()).contains("may not send commands");
  }
}
