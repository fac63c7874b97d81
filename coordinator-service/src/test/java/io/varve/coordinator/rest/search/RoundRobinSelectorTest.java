package io.varve.coordinator.rest.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.client.CopyAddress;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoundRobinSelectorTest {

  private final RoundRobinSelector selector = new RoundRobinSelector(() -> null);

  private static List<CopyAddress> copies(int shard) {
    return List.of(copy(shard, "one", true), copy(shard, "two", false));
  }

  private static CopyAddress copy(int shard, String nodeId, boolean primary) {
    return new CopyAddress(
        new ShardId("index", shard),
        new CopyRouting(nodeId + shard, primary, CopyRouting.State.STARTED, nodeId, ""),
        new NodeInfo(nodeId, nodeId, "incarnation", Set.of(), "http://127.0.0.1:1"));
  }

  @Test
  void shardsThatComeAndGoAreNotRememberedForEver() {
    for (int shard = 0; shard < 25_000; shard++) {
      assertThat(selector.order(copies(shard), null)).hasSize(2);
    }
    assertThat(selector.shardsInTurn()).isLessThanOrEqualTo(10_001);
  }

  @Test
  void eachCopyHasItsTurn() {
    List<CopyAddress> first = selector.order(copies(0), null);
    List<CopyAddress> second = selector.order(copies(0), null);
    assertThat(second).containsExactly(first.get(1), first.get(0));
  }
}
