package io.varve.shard.primary;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import io.varve.host.CopyContext;
import io.varve.host.NodeAnswers;
import io.varve.rpc.FolderPosition;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the nodes of other copies of a shard for the positions of their folders. */
final class OtherFolders {

  private static final Logger LOG = LoggerFactory.getLogger(OtherFolders.class);

  private final CopyContext context;

  OtherFolders(CopyContext context) {
    this.context = context;
  }

  /**
   * The answers by the ids of the copies whose nodes answer; blocks for some seconds for each copy
   * at most.
   */
  Map<String, FolderPosition> positions(ClusterState state, List<CopyRouting> copies)
      throws InterruptedException {
    Map<String, FolderPosition> positions = new HashMap<>();
    for (CopyRouting copy : copies) {
      FolderPosition position = position(state.nodes().get(String.valueOf(copy.nodeId())));
      if (position != null) {
        positions.put(copy.copyId(), position);
      }
    }
    return positions;
  }

  /** Null if the node is not in the cluster, or does not answer. */
  @Nullable FolderPosition position(@Nullable NodeInfo node) throws InterruptedException {
    if (node == null) {
      return null;
    }
    ShardId shard = context.shard();
    URI uri =
        URI.create(
            "%s/_internal/folders/%s/%d".formatted(node.url(), shard.indexUuid(), shard.number()));
    try {
      return NodeAnswers.json(
          context.node().http(),
          HttpRequest.newBuilder(uri)
              .timeout(context.node().settings().limits().answers().folder())
              .GET()
              .build(),
          FolderPosition.class);
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} what node {} holds is unknown: {}", shard, node.name(), e.toString());
      return null;
    }
  }
}
