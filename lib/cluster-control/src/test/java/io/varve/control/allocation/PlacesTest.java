package io.varve.control.allocation;

import static io.varve.cluster.NodeInfo.PRIMARY;
import static io.varve.cluster.NodeInfo.SEARCH;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterAllocationSettings;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.DiskUsage;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.cluster.Watermark;
import io.varve.control.allocation.AllocationDeciders.Answer;
import io.varve.control.allocation.AllocationDeciders.Verdict;
import io.varve.control.allocation.Reconciler.Situation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The nodes to which copies are assigned, by zones, limits, disks and numbers of copies. */
class PlacesTest {

  private static final long GIGABYTE = 1L << 30;

  private final AtomicInteger ids = new AtomicInteger();
  private final Reconciler reconciler = new Reconciler(() -> "copy-" + ids.incrementAndGet());
  private final Map<String, DiskUsage> disks = new HashMap<>();

  private static NodeInfo node(String id, String zone) {
    return new NodeInfo(id, id, id + "-1", Set.of(PRIMARY), "http://" + id, Map.of("zone", zone));
  }

  private static ClusterState set(ClusterState state, String... settings) {
    Map<String, String> all = new TreeMap<>(state.persistentSettings());
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    return state.apply(new ClusterEvent.ClusterSettingsChanged(all, Map.of()));
  }

  private static ClusterState create(ClusterState state, String name, int shards, int replicas) {
    return state.apply(new ClusterEvent.IndexCreated(Clusters.index(name, shards, replicas)));
  }

  /** Applies the reconciler until nothing changes; every initializing copy starts. */
  private ClusterState settle(ClusterState state) {
    ClusterState now = state;
    for (int round = 0; round < 200; round++) {
      List<ClusterEvent> events =
          reconciler.reconcile(now, new Situation(Map.of(), Set.of(), disks, 0));
      ClusterState next = startAll(Clusters.apply(now, events));
      if (next.equals(now)) {
        return now;
      }
      now = next;
    }
    throw new AssertionError("it never came to rest: " + now.indices());
  }

  private static ClusterState startAll(ClusterState state) {
    ClusterState now = state;
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.everywhere()) {
          if (copy.state() == CopyRouting.State.INITIALIZING) {
            long term =
                shard
                    .relocationTo(copy.copyId())
                    .map(Relocation::handOverTerm)
                    .orElse(shard.primaryTerm());
            now = now.apply(new ClusterEvent.CopyStarted(shard.shard(), copy.copyId(), term));
          }
        }
      }
    }
    return now;
  }

  private static List<String> nodesOf(ClusterState state, String index) {
    return state.indices().get(index).shards().stream()
        .flatMap(shard -> shard.copies().stream())
        .map(copy -> String.valueOf(copy.nodeId()))
        .sorted()
        .toList();
  }

  private static Map<String, Long> counts(ClusterState state, boolean primariesOnly) {
    Map<String, Long> counts = new TreeMap<>();
    state.nodes().keySet().forEach(id -> counts.put(id, 0L));
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : primariesOnly ? List.of(shard.primary()) : shard.copies()) {
          if (copy.nodeId() != null) {
            counts.merge(copy.nodeId(), 1L, Long::sum);
          }
        }
      }
    }
    return counts;
  }

  private Verdict verdict(ClusterState state, String decider, boolean primary, String nodeId) {
    ShardRouting shard = state.indices().get("i").shard(0);
    CopyRouting copy = primary ? shard.primary() : shard.copies().getLast();
    return new AllocationDeciders(state, Set.of(), disks)
        .verdicts(shard, copy, state.nodes().get(nodeId)).stream()
            .filter(verdict -> verdict.decider().equals(decider))
            .findFirst()
            .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "2, 2, 1", "3, 2, 2"})
  void copiesAreSpreadOverZones(int replicas, int inEast, int inWest) {
    ClusterState state =
        set(
            Clusters.with(
                node("e1", "east"),
                node("e2", "east"),
                node("e3", "east"),
                node("w1", "west"),
                node("w2", "west")),
            ClusterAllocationSettings.AWARENESS_ATTRIBUTES,
            "zone");

    List<String> nodes = nodesOf(settle(create(state, "i", 1, replicas)), "i");

    assertThat(nodes).filteredOn(id -> id.startsWith("e")).hasSizeBetween(inWest, inEast);
    assertThat(nodes).filteredOn(id -> id.startsWith("w")).hasSizeBetween(inWest, inEast);
  }

  @Test
  void aForcedZoneCountsEvenWithoutNodes() {
    ClusterState state =
        set(
            Clusters.with(node("e1", "east"), node("e2", "east")),
            ClusterAllocationSettings.AWARENESS_ATTRIBUTES,
            "zone",
            ClusterAllocationSettings.FORCED_AWARENESS + "zone.values",
            "east,west");

    ClusterState settled = settle(create(state, "i", 1, 1));

    assertThat(nodesOf(settled, "i")).containsExactlyInAnyOrder("e1", "null");
    assertThat(verdict(settled, "awareness", false, "e2").explanation())
        .startsWith(
            "there are too many copies of the shard allocated to nodes with attribute [zone]")
        .contains("[2] total configured shard copies", "[2] total attribute values");
  }

  @Test
  void aNodeWithoutTheAttributeGetsNoCopy() {
    ClusterState state =
        set(
            create(Clusters.with(Clusters.node("n", PRIMARY)), "i", 1, 0),
            ClusterAllocationSettings.AWARENESS_ATTRIBUTES,
            "rack");

    assertThat(verdict(state, "awareness", true, "n").explanation())
        .isEqualTo(
            "node does not contain the awareness attribute [rack]; required attributes cluster"
                + " setting [cluster.routing.allocation.awareness.attributes=rack]");
  }

  @Test
  void aNodeHoldsNoMoreCopiesThanItMay() {
    ClusterState state =
        set(
            Clusters.with(Clusters.node("a", PRIMARY), Clusters.node("b", PRIMARY)),
            ClusterAllocationSettings.SHARDS_PER_NODE,
            "2");

    ClusterState settled = settle(create(state, "i", 5, 0));

    assertThat(nodesOf(settled, "i")).containsExactlyInAnyOrder("a", "a", "b", "b", "null");
  }

  @Test
  void copiesOnOneHostAreKeptApartWhenThatIsWanted() {
    ClusterState state =
        set(
            Clusters.with(
                new NodeInfo("a", "a", "a", Set.of(PRIMARY), "http://10.0.0.1:1"),
                new NodeInfo("b", "b", "b", Set.of(PRIMARY), "http://10.0.0.1:2"),
                new NodeInfo("c", "c", "c", Set.of(PRIMARY), "http://10.0.0.2:1")),
            ClusterAllocationSettings.SAME_HOST,
            "true");

    assertThat(nodesOf(settle(create(state, "i", 1, 2)), "i")).contains("c", "null");
  }

  @ParameterizedTest
  @CsvSource({"80, YES, true", "87, NO, true", "93, NO, false"})
  void copiesAreNotAllocatedToFullDisksAndLeaveThem(int used, Answer comes, boolean stays) {
    ClusterState state = create(Clusters.with(Clusters.node("a", PRIMARY)), "i", 1, 0);
    ClusterState settled = settle(state).apply(joined("b"));
    disks.put("a", new DiskUsage(100 * GIGABYTE, (100L - used) * GIGABYTE));
    disks.put("b", new DiskUsage(100 * GIGABYTE, (100L - used) * GIGABYTE));

    assertThat(verdict(settled, "disk_threshold", true, "b").answer()).isEqualTo(comes);
    ShardRouting shard = settled.indices().get("i").shard(0);
    assertThat(
            new AllocationDeciders(settled, Set.of(), disks)
                .mayRemain(shard, shard.primary(), settled.nodes().get("a")))
        .isEqualTo(stays);
  }

  private static ClusterEvent joined(String id) {
    return new ClusterEvent.NodeJoined(Clusters.node(id, PRIMARY));
  }

  @ParameterizedTest
  @CsvSource({"20gb, YES", "60gb, NO"})
  void watermarksMayBeBytesThatAreFree(String low, Answer answer) {
    ClusterState settled =
        settle(create(Clusters.with(Clusters.node("a", PRIMARY)), "i", 1, 0)).apply(joined("b"));
    disks.put("b", new DiskUsage(100 * GIGABYTE, 50 * GIGABYTE));

    assertThat(
            verdict(set(settled, Watermark.LOW.setting(), low), "disk_threshold", true, "b")
                .answer())
        .isEqualTo(answer);
  }

  @Test
  void aNodeIsDrainedByAFilterAndThenHoldsNothing() {
    ClusterState state =
        settle(
            create(
                Clusters.with(
                    Clusters.node("a", PRIMARY),
                    Clusters.node("b", PRIMARY),
                    Clusters.node("c", PRIMARY)),
                "i",
                4,
                1));

    ClusterState drained = settle(set(state, "cluster.routing.allocation.exclude._name", "b"));

    assertThat(nodesOf(drained, "i")).hasSize(8).doesNotContain("b", "null");
  }

  @Test
  void aNodeThatJoinsGetsItsShareAFewCopiesAtATime() {
    ClusterState state =
        settle(
            create(
                Clusters.with(Clusters.node("a", PRIMARY), Clusters.node("b", PRIMARY)),
                "i",
                6,
                0));
    ClusterState joined = state.apply(joined("c"));

    List<ClusterEvent> first =
        reconciler.reconcile(joined, new Situation(Map.of(), Set.of(), disks, 0));

    assertThat(first).hasSize(2).hasOnlyElementsOfType(ClusterEvent.RelocationStarted.class);
    assertThat(counts(settle(joined), false))
        .containsOnly(Map.entry("a", 2L), Map.entry("b", 2L), Map.entry("c", 2L));
  }

  @Test
  void nothingIsRebalancedWhereRebalancingIsDisabled() {
    ClusterState state =
        settle(create(Clusters.with(Clusters.node("a", PRIMARY)), "i", 6, 0)).apply(joined("b"));

    assertThat(
            counts(settle(set(state, ClusterAllocationSettings.REBALANCE_ENABLE, "none")), false))
        .containsEntry("a", 6L);
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void primariesMayBeBalancedSeparately(boolean preferred) {
    ClusterState state =
        settle(
            create(
                Clusters.with(
                    Clusters.node("a", PRIMARY),
                    Clusters.node("b", PRIMARY),
                    Clusters.node("c", PRIMARY)),
                "i",
                6,
                1));
    ClusterState lost = settle(state.apply(new ClusterEvent.NodeLeft("c", "killed")));
    ClusterState back =
        settle(
            set(
                lost.apply(joined("c")),
                ClusterAllocationSettings.PREFER_PRIMARY,
                Boolean.toString(preferred)));

    assertThat(counts(back, false))
        .allSatisfy((node, count) -> assertThat(count).isBetween(3L, 5L));
    if (preferred) {
      assertThat(counts(back, true))
          .allSatisfy((node, count) -> assertThat(count).isBetween(1L, 3L));
    }
  }

  @Test
  void concurrentRecoveriesOnANodeAreLimited() {
    ClusterState state =
        settle(
            create(
                Clusters.with(Clusters.node("a", PRIMARY), Clusters.node("b", PRIMARY)),
                "i",
                4,
                0));
    Map<String, String> more = new TreeMap<>();
    more.put(IndexSettings.NUMBER_OF_REPLICAS, "1");
    ClusterState wanted = state.apply(new ClusterEvent.IndexSettingsChanged("i-uuid", 2, more));

    ClusterState building =
        Clusters.apply(
            wanted, reconciler.reconcile(wanted, new Situation(Map.of(), Set.of(), disks, 0)));

    assertThat(
            building.indices().get("i").shards().stream()
                .flatMap(shard -> shard.replicas().stream())
                .filter(copy -> copy.nodeId() != null))
        .hasSizeLessThanOrEqualTo(4)
        .isNotEmpty();
    assertThat(nodesOf(settle(building), "i")).hasSize(8).doesNotContain("null");
  }

  @Test
  void searchCopiesAreAllocatedToSearchNodesAndNeverPromoted() {
    ClusterState state =
        settle(
            create(
                Clusters.with(
                    Clusters.node("a", PRIMARY),
                    Clusters.node("s1", SEARCH),
                    Clusters.node("s2", SEARCH)),
                "i",
                1,
                0));
    Map<String, String> more = new TreeMap<>();
    more.put(IndexSettings.NUMBER_OF_SEARCH_REPLICAS, "2");
    state = settle(state.apply(new ClusterEvent.IndexSettingsChanged("i-uuid", 2, more)));
    assertThat(nodesOf(state, "i")).containsExactly("a", "s1", "s2");

    ClusterState lost = settle(state.apply(new ClusterEvent.NodeLeft("a", "killed")));

    assertThat(lost.indices().get("i").shard(0).primary().nodeId()).isEqualTo("a");
    more.put(IndexSettings.NUMBER_OF_SEARCH_REPLICAS, "0");
    ClusterState fewer =
        settle(lost.apply(new ClusterEvent.IndexSettingsChanged("i-uuid", 3, more)));
    assertThat(fewer.indices().get("i").shard(0).copies()).hasSize(1);
  }

  @Test
  void theFloodStageBlocksWritesAndUnblocksThem() {
    ClusterState state = settle(create(Clusters.with(Clusters.node("a", PRIMARY)), "i", 1, 0));
    FloodStage flood = new FloodStage();

    disks.put("a", new DiskUsage(100 * GIGABYTE, 4 * GIGABYTE));
    state = Clusters.apply(state, flood.changes(state, disks));
    assertThat(blocked(state)).isTrue();
    assertThat(flood.changes(state, disks)).isEmpty();

    disks.put("a", new DiskUsage(100 * GIGABYTE, 8 * GIGABYTE));
    assertThat(flood.changes(state, disks)).as("still above the high watermark").isEmpty();

    disks.put("a", new DiskUsage(100 * GIGABYTE, 50 * GIGABYTE));
    state = Clusters.apply(state, flood.changes(state, disks));
    assertThat(blocked(state)).isFalse();
  }

  @Test
  void aBlockSetByAUserIsNotRemoved() {
    ClusterState state = settle(create(Clusters.with(Clusters.node("a", PRIMARY)), "i", 1, 0));
    Map<String, String> block = new TreeMap<>();
    block.put(IndexBlocks.READ_ONLY_ALLOW_DELETE, "true");
    state = state.apply(new ClusterEvent.IndexSettingsChanged("i-uuid", 2, block));
    disks.put("a", new DiskUsage(100 * GIGABYTE, 50 * GIGABYTE));

    assertThat(new FloodStage().changes(state, disks)).isEmpty();
  }

  private static boolean blocked(ClusterState state) {
    return Boolean.parseBoolean(
        state.indices().get("i").settings().get(IndexBlocks.READ_ONLY_ALLOW_DELETE));
  }
}
