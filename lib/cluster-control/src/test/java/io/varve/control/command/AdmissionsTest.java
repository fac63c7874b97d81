package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
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

  @ParameterizedTest(name = "{0} index, term {1}, primary on {2}, {3} admitted in {4}: missing {5}")
  @CsvSource({
    "eventual, 4, p1, replica,    , false",
    "strong,   4, p1, primary,    , false",
    "strong,   4, p1, search,     , false",
    "strong,   4, p1, unknown,    , false",
    "strong,   4, p1, replica,    , true",
    "strong,   4, p1, replica,   3, true",
    "strong,   4, p1, replica,   4, false",
    "strong,   4,   , replica,    , false",
  })
  void aReplicaOfAStrongIndexNeedsTheAdmissionOfThePresentPrimary(
      String consistency,
      long term,
      @Nullable String primaryNode,
      String copyId,
      @Nullable Long admittedIn,
      boolean missing) {
    ClusterState state = state(consistency, term, primaryNode);
    assertThat(
            Admissions.isMissing(
                state, new ClusterCalls.CopyStarted(SHARD, copyId, "i", 0, null, admittedIn)))
        .isEqualTo(missing);
  }

  private static ClusterState state(String consistency, long term, @Nullable String primaryNode) {
    CopyRouting primary = CopyRouting.unassigned("primary", true, "NEW");
    List<CopyRouting> copies =
        List.of(
            primaryNode == null ? primary : primary.assignedTo("primary", primaryNode),
            CopyRouting.unassigned("replica", false, "NEW").assignedTo("replica", "r1"),
            CopyRouting.unassignedForSearch("search", "NEW").assignedTo("search", "s1"));
    return ClusterState.EMPTY.apply(
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
