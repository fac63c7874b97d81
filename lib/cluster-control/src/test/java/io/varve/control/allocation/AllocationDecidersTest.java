package io.varve.control.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterAllocationSettings;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllocationDecidersTest {

  private static final NodeInfo NODE =
      new NodeInfo(
          "n1",
          "first",
          "i",
          Set.of(NodeInfo.PRIMARY),
          "http://10.0.0.1:9300",
          Map.of("zone", "east"));

  private final ClusterState state =
      Clusters.with(NODE).apply(new ClusterEvent.IndexCreated(Clusters.index("i", 1, 1)));

  private ClusterState with(String setting, String value) {
    return state.apply(new ClusterEvent.ClusterSettingsChanged(Map.of(setting, value), Map.of()));
  }

  private static List<String> against(
      ClusterState state, boolean primary, Set<Reconciler.Place> refused) {
    ShardRouting shard = state.indices().get("i").shard(0);
    CopyRouting copy = primary ? shard.primary() : shard.replicas().getFirst();
    return new AllocationDeciders(state, refused)
        .verdicts(shard, copy, state.nodes().get("n1")).stream()
            .filter(verdict -> !verdict.yes())
            .map(AllocationDeciders.Verdict::decider)
            .toList();
  }

  @Test
  void aNodeMayHoldTheCopyIfNoDeciderObjects() {
    assertThat(against(state, true, Set.of())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "all, true, true",
    "primaries, true, false",
    "new_primaries, true, false",
    "none, false, false",
  })
  void theEnableSettingDeterminesWhichCopiesAreAllocated(
      String value, boolean primary, boolean replica) {
    ClusterState switched = with(ClusterAllocationSettings.ENABLE, value);

    assertThat(against(switched, true, Set.of()).isEmpty()).isEqualTo(primary);
    assertThat(against(switched, false, Set.of()).isEmpty()).isEqualTo(replica);
  }

  @ParameterizedTest
  @CsvSource({
    "include._name, 'second,fi*', true",
    "include._name, second, false",
    "exclude.zone, west, true",
    "exclude.zone, 'west,east', false",
    "exclude._ip, 10.0.0.*, false",
    "require.zone, east, true",
    "require.disk, fast, false",
    "require._id, n1, true",
  })
  void filtersAreHeeded(String filter, String value, boolean allowed) {
    ClusterState filtered = with("cluster.routing.allocation." + filter, value);

    assertThat(against(filtered, true, Set.of()).isEmpty()).isEqualTo(allowed);
  }

  @Test
  void noCopyIsAllocatedForSomeTimeWhereOneFailed() {
    ShardRouting shard = state.indices().get("i").shard(0);

    assertThat(against(state, true, Set.of(new Reconciler.Place(shard.shard(), "n1"))))
        .containsExactly("max_retry");
  }

  @Test
  void theReconcilerAllocatesNothingWhileAllocationIsDisabled() {
    Reconciler reconciler = new Reconciler(() -> "id");
    Reconciler.Situation calm = new Reconciler.Situation(Map.of(), Set.of(), 0);

    assertThat(reconciler.reconcile(with(ClusterAllocationSettings.ENABLE, "none"), calm))
        .isEmpty();
    assertThat(reconciler.reconcile(state, calm))
        .hasOnlyElementsOfType(ClusterEvent.PrimaryAssigned.class)
        .hasSize(1);
  }
}
