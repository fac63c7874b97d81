package io.varve.shard.primary;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.events.Manifest;
import io.varve.events.ShardId;
import io.varve.host.CopyContext;
import io.varve.host.NodeAnswers;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.FolderPosition;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the nodes of other copies of a shard what their folders hold. A SEGMENT replica can only
 * give the newest published manifest to a primary: it lacks what was published if it ends before. A
 * DOCUMENT replica lacks it if its folder is empty.
 */
final class OtherFolders {

  private static final Logger LOG = LoggerFactory.getLogger(OtherFolders.class);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  private final CopyContext context;

  OtherFolders(CopyContext context) {
    this.context = context;
  }

  /**
   * The ids of those copies whose nodes answer that they lack what was published; blocks for some
   * seconds for each copy at most.
   */
  Set<String> lacking(ClusterState state, List<CopyRouting> copies)
      throws LogException, InterruptedException {
    Set<String> lacking = new HashSet<>();
    if (copies.isEmpty()) {
      return lacking;
    }
    long neededSeqNo = neededSeqNo();
    for (CopyRouting copy : copies) {
      FolderPosition position = position(state.nodes().get(String.valueOf(copy.nodeId())));
      if (position != null && (!position.held() || position.nextSeqNo() < neededSeqNo)) {
        lacking.add(copy.copyId());
      }
    }
    return lacking;
  }

  /** Where a copy must end at least; 0 if each that holds anything counts. */
  private long neededSeqNo() throws LogException {
    if (context.index().replicationType().equals(IndexMetadata.DOCUMENT)) {
      return 0;
    }
    PartitionLog manifests = context.manifests();
    Manifest newest = new ManifestLog(manifests).before(manifests.endOffset(), false).published();
    return newest == null ? 0 : newest.nextSeqNo();
  }

  /** Null if the node is not in the cluster, or gives no answer. */
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
          HttpRequest.newBuilder(uri).timeout(ANSWER_WITHIN).GET().build(),
          FolderPosition.class);
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} what node {} holds is unknown: {}", shard, node.name(), e.toString());
      return null;
    }
  }
}
