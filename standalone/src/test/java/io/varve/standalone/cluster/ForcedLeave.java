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
 * Makes a node leave its cluster at once, where the node timeout is so long that no load on the
 * machine makes one leave: a heartbeat of its id says that its process is of a release that the
 * cluster does not admit. What follows is what follows a silence that was noticed. The node is a
 * member again with the next heartbeat of its own.
 */
final class ForcedLeave {

  private ForcedLeave() {}

  /** Returns when the node with its files in {@code data} is no member. */
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
