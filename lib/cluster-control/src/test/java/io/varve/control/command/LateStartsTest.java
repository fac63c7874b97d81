package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.Feature;
import io.varve.events.ShardId;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node is removed while its report of a start is under way, and returns with the same process
 * before the report arrives.
 */
class LateStartsTest extends DecisionsWorld {

  private static final ShardId SHARD = new ShardId("books-uuid", 0);
  private static final NodeInfo REPLICA = Clusters.node("r1", NodeInfo.REPLICA);

  @BeforeEach
  void form() {
    state = at(Feature.MEMBER_SINCE.since(), "eventual");
  }

  private static ClusterState at(int level, String consistency) {
    CopyRouting primary =
        CopyRouting.unassigned("primary", true, "NEW").assignedTo("primary", "p1");
    CopyRouting replica =
        CopyRouting.unassigned("replica", false, "NEW").assignedTo("replica", "r1");
    return Clusters.with(Clusters.node("p1", NodeInfo.PRIMARY))
        .apply(new ClusterEvent.FeatureLevelRaised(level))
        .apply(new ClusterEvent.NodeJoined(REPLICA))
        .apply(
            new ClusterEvent.IndexCreated(
                new IndexMetadata(
                    "books",
                    SHARD.indexUuid(),
                    0,
                    Map.of("index.replication.consistency", consistency),
                    1,
                    "{}",
                    1,
                    null,
                    List.of(
                        new ShardRouting(
                            SHARD, 4, List.of(primary.in(CopyRouting.State.STARTED), replica))))));
  }

  private static ClusterCalls.CopyStarted report(String copyId, @Nullable Long provenFrom) {
    return new ClusterCalls.CopyStarted(
        SHARD, copyId, REPLICA.incarnation(), 4, null, 4L, provenFrom);
  }

  private void away() {
    state = state.apply(new ClusterEvent.NodeLeft("r1", "silent"));
    state = state.apply(new ClusterEvent.NodeJoined(REPLICA));
  }

  private boolean isStarted() {
    return state.shard(SHARD).orElseThrow().copy("replica").orElseThrow().started();
  }

  @ParameterizedTest
  @ValueSource(strings = {"eventual", "strong"})
  void aReportThatWasDecidedBeforeItsNodeWasRemovedStartsNothing(String consistency) {
    state = at(Feature.MEMBER_SINCE.since(), consistency);
    ClusterCommand report = new ClusterCommand.CopyStarted(report("replica", state.version()));
    away();

    ErrorBody refused = refuse(report);

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.type()).isEqualTo("illegal_state_exception");
    assertThat(refused.reason()).contains("[replica]", "[r1]", "version [" + state.version() + "]");

    accept(new ClusterCommand.CopyStarted(report("replica", state.version())));
    assertThat(isStarted()).isTrue();
  }

  @Test
  void aLateReportOfACopyThatHasStartedSinceChangesNothingAndIsNoError() {
    ClusterCommand report = new ClusterCommand.CopyStarted(report("replica", state.version()));
    away();
    accept(new ClusterCommand.CopyStarted(report("replica", state.version())));

    assertThat(accept(report)).isEmpty();
    assertThat(isStarted()).isTrue();
  }

  @Test
  void belowTheLevelAReportIsAcceptedWithoutAVersion() {
    state = at(Feature.MEMBER_SINCE.since() - 1, "eventual");
    away();

    accept(new ClusterCommand.CopyStarted(report("replica", null)));

    assertThat(state.memberSince()).isEmpty();
    assertThat(isStarted()).isTrue();
  }

  @Test
  void aReportOfATargetOfARelocationIsJudgedByTheTargetsNode() {
    state =
        state
            .apply(new ClusterEvent.CopyStarted(SHARD, "replica", 4))
            .apply(new ClusterEvent.NodeJoined(Clusters.node("r2", NodeInfo.REPLICA)))
            .apply(new ClusterEvent.RelocationStarted(SHARD, "replica", "target", "r2"));
    long since = state.memberSince().get("r2");

    assertThat(LateStarts.refusal(state, report("target", since - 1))).isPresent();
    assertThat(LateStarts.refusal(state, report("target", since))).isEmpty();
  }

  /** The node has joined at version 10 if that is recorded. */
  @ParameterizedTest(name = "join recorded {0}, copy {1} proven from {2}: refused {3}")
  @CsvSource({
    "true,  replica,  9, true",
    "true,  replica,   , true",
    "true,  replica, 10, false",
    "true,  replica, 11, false",
    "true,  primary,  9, false",
    "true,  unknown,  9, false",
    "false, replica,  9, false",
    "false, replica,   , false",
  })
  void aReportMustBeProvenSinceItsNodeJoined(
      boolean recorded, String copyId, @Nullable Long provenFrom, boolean refused) {
    state = state.apply(new ClusterEvent.NodeLeft("r1", "silent"));
    if (recorded) {
      while (state.version() < 9) {
        state = state.apply(new ClusterEvent.IndexDeleted("unknown"));
      }
      state = state.apply(new ClusterEvent.NodeJoined(REPLICA));
      assertThat(state.version()).isEqualTo(10);
    }

    assertThat(LateStarts.refusal(state, report(copyId, provenFrom)).isPresent())
        .isEqualTo(refused);
  }
}
