package io.varve.host;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.events.Json;
import io.varve.events.ShardId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * Asks the primary to refresh just before this copy takes over from it. The copy fetches the
 * published segments while the primary still writes, so that little is left to replay while writes
 * wait. This is only an optimization: operations that are not in the fetched segments are in the
 * log.
 */
final class HandOver {

  private static final Logger LOG = LoggerFactory.getLogger(HandOver.class);

  private final NodeContext node;
  private final ShardId shard;
  private final Duration patience;

  HandOver(NodeContext node, ShardId shard) {
    this.node = node;
    this.shard = shard;
    this.patience = node.settings().limits().answers().handOver();
  }

  /** Returns when {@code copy} has all current operations of the primary, or after a timeout. */
  void prepare(ShardCopy copy) throws InterruptedException {
    Optional<NodeInfo> primary = primary(node.cluster().current(), copy.copyId());
    if (primary.isEmpty()) {
      return;
    }
    try {
      long seqNo = refresh(primary.get());
      if (!copy.show(seqNo, patience)) {
        LOG.info("{} takes over before it has all operations up to seq_no {}", shard, seqNo);
      }
    } catch (IOException e) {
      LOG.info("{} takes over without a last refresh of the primary: {}", shard, e.toString());
    }
  }

  private Optional<NodeInfo> primary(ClusterState state, String targetCopyId) {
    Optional<ShardRouting> routing = state.shard(shard);
    return routing
        .flatMap(r -> r.relocationTo(targetCopyId))
        .filter(Relocation::handsOver)
        .flatMap(moving -> routing.flatMap(r -> r.copy(moving.copyId())))
        .map(CopyRouting::nodeId)
        .flatMap(state::node);
  }

  private long refresh(NodeInfo primary) throws IOException, InterruptedException {
    URI uri =
        URI.create(
            primary.url()
                + "/_internal/shards/"
                + shard.indexUuid()
                + "/"
                + shard.number()
                + "/refresh");
    HttpResponse<byte[]> answer =
        node.http()
            .send(
                HttpRequest.newBuilder(uri)
                    .timeout(patience)
                    .header("Varve-Timeout-Millis", Long.toString(patience.toMillis()))
                    .POST(BodyPublishers.noBody())
                    .build(),
                BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) {
      throw new IOException("the primary answered " + answer.statusCode());
    }
    try {
      return Json.mapper().readTree(answer.body()).required("visible_seq_no").longValue();
    } catch (JacksonException e) {
      throw new IOException("the primary did not answer with its visible position", e);
    }
  }
}
