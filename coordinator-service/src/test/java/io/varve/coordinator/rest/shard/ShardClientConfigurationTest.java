package io.varve.coordinator.rest.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.client.Abort;
import io.varve.client.CopyAddress;
import io.varve.client.NodeHttp;
import io.varve.client.ShardClient;
import io.varve.client.ShardClient.BulkAnswer;
import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RemovableCluster;
import io.varve.memory.HeapWatch;
import io.varve.memory.ParentBreaker;
import io.varve.rpc.ApiException;
import io.varve.rpc.WriteItem;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardClientConfigurationTest {

  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private static final String NOBODYS_URL = "http://127.0.0.1:1";

  private final RemovableCluster cluster = new RemovableCluster();

  @Test
  void aBulkWhoseCoordinatorIsRemovedMeanwhileIsStillSentToTheOtherPrimaries() throws Exception {
    cluster.index("a", 1);
    CopyAddress primary = primary();
    try (NodeHttp http = new NodeHttp(TIMEOUT)) {
      ShardClient client =
          new ShardClientConfiguration()
              .shardClient(
                  http,
                  new ParentBreaker(() -> Long.MAX_VALUE, () -> false, HeapWatch.ofThisProcess()),
                  cluster);
      cluster.remove();
      assertThatThrownBy(cluster::state).isInstanceOf(ApiException.class);

      BulkAnswer answer =
          client.bulk(
              primary,
              new ShardClient.BulkCall(1, List.<WriteItem>of(), null, new Abort()),
              TIMEOUT);

      assertThat(answer).isInstanceOf(BulkAnswer.NotWritten.class);
    }
  }

  private CopyAddress primary() {
    cluster.node(
        FakeCluster.PRIMARY_NODE,
        node ->
            new NodeInfo(
                node.nodeId(),
                node.name(),
                node.incarnation(),
                node.roles(),
                NOBODYS_URL,
                node.attributes()));
    ClusterState state = cluster.state();
    ShardRouting shard = state.indices().get("a").shard(0);
    return CopyAddress.of(state, shard, shard.primary()).orElseThrow();
  }
}
