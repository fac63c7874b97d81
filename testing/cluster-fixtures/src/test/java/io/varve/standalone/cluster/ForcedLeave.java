package io.varve.standalone.cluster;

import io.varve.cluster.HeartbeatPublisher;
import io.varve.cluster.NodeIdentity;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Topics;
import io.varve.events.FeatureLevels;
import io.varve.log.MessageLog;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import io.varve.standalone.RestCalls;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;

/**
 * Removes a node from its cluster without waiting for the node timeout, which the fixtures set so
 * high that no load on the machine can cause it.
 *
 * <p>Publishes a heartbeat with the id of the node and the feature levels of a release that the
 * cluster does not admit. The leader then removes the node as it does after a node timeout. The
 * next heartbeat from the node itself makes it a member again.
 */
final class ForcedLeave {

  private ForcedLeave() {}

  /** Returns when the node with its files in {@code data} is no longer a member. */
  static void of(RestCalls rest, String bootstrapServers, Path data) throws Exception {
    NodeIdentity refused =
        NodeIdentity.open(data, "refused", Set.of(NodeInfo.REPLICA)).at(FeatureLevels.UNSAID);
    try (MessageLog log = new KafkaMessageLog(KafkaLogConfig.of(bootstrapServers, "refused"))) {
      HeartbeatPublisher heartbeats =
          new HeartbeatPublisher(
              log,
              new Topics("varve", 1),
              refused,
              "http://127.0.0.1:1",
              data,
              InstantSource.system(),
              reason -> {});
      Await.within(TestIndex.SOON)
          .until(() -> {
            heartbeats.beat(0);
            return rest.get("/_cluster/state/nodes")
                .orThrow()
                .json()
                .at("/nodes/" + refused.nodeId())
                .isMissingNode();
          });
    }
  }
}
