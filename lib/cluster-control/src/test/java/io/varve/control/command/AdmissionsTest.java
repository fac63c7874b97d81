package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.rpc.ClusterCalls;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdmissionsTest {

  private static final ShardId SHARD = new ShardId("books-uuid", 0);

  @ParameterizedTest(
      name = "{0} index, term {1}, primary started {2}, {3} admitted in {4}: missing {5}")
  @CsvSource({
    "eventual, 4, true,  replica,    , false",
    "strong,   4, true,  primary,    , false",
    "strong,   4, true,  search,     , false",
    "strong,   4, true,  unknown,    , false",
    "strong,   4, true,  replica,    , true",
    "strong,   4, true,  replica,   3, true",
    "strong,   4, true,  replica,   4, false",
    "strong,   4, false, replica,    , false",
  })
  void aReplicaOfAStrongIndexNeedsTheAdmissionOfThePresentPrimary(
      String consistency,
      long term,
      boolean primaryStarted,
      String copyId,
      @Nullable Long admittedIn,
      boolean missing) {
    ClusterState state = state(consistency, term, primaryStarted);
    assertThat(
            Admissions.isMissing(
                state, new ClusterCalls.CopyStarted(SHARD, copyId, "i", 0, null, admittedIn)))
        .isEqualTo(missing);
  }

  private static ClusterState state(String consistency, long term, boolean primaryStarted) {
    CopyRouting primary =
        CopyRouting.unassigned("primary", true, "NEW").assignedTo("primary", "p1");
    List<CopyRouting> copies =
        List.of(
            primaryStarted ? primary.in(CopyRouting.State.STARTED) : primary,
            CopyRouting.unassigned("replica", false, "NEW").assignedTo("replica", "r1"),
            CopyRouting.unassignedForSearch("search", "NEW").assignedTo("search", "s1"));
    return Clusters.with(Clusters.node("p1", NodeInfo.PRIMARY))
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
                    List.of(new ShardRouting(SHARD, term, copies)))));
  }
}
