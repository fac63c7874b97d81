package io.varve.coordinator.rest.remotestore;

import io.varve.client.NodeHttp;
import io.varve.client.NodeRequest;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.Json;
import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.StoredIndex;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the segment store through the nodes with access to it, which are asked one after the other
 * until one answers.
 */
public final class HttpStoreReader implements StoreReader {

  private final ClusterAccess cluster;
  private final NodeHttp http;

  public HttpStoreReader(ClusterAccess cluster, NodeHttp http) {
    this.cluster = cluster;
    this.http = http;
  }

  @Override
  public List<StoredIndex.Entry> indices(Duration timeout) throws InterruptedException {
    return List.of(Json.read(ask("/indices", timeout), StoredIndex.Entry[].class));
  }

  @Override
  public StoredIndex index(String uuid, Duration timeout) throws InterruptedException {
    return Json.read(ask("/indices/" + uuid, timeout), StoredIndex.class);
  }

  @Override
  public List<StoredManifest> points(ShardId shard, Duration timeout) throws InterruptedException {
    String path = "/points/" + shard.indexUuid() + "/" + shard.number();
    return List.of(Json.read(ask(path, timeout), StoredManifest[].class));
  }

  @Override
  public List<Leftover> garbage(boolean dryRun, Duration timeout) throws InterruptedException {
    return List.of(Json.read(ask(dryRun ? "GET" : "POST", "/garbage", timeout), Leftover[].class));
  }

  private byte[] ask(String path, Duration timeout) throws InterruptedException {
    return ask("GET", path, timeout);
  }

  /**
   * Asks the nodes in the order of their ids, because the node with the smallest id is the one that
   * deletes garbage.
   */
  private byte[] ask(String method, String path, Duration timeout) throws InterruptedException {
    List<NodeInfo> nodes =
        cluster.state().nodes().values().stream()
            .filter(node -> node.attributes().containsKey(NodeInfo.STORE_ATTRIBUTE))
            .sorted(Comparator.comparing(NodeInfo::nodeId))
            .toList();
    if (nodes.isEmpty()) {
      throw new ApiException(ErrorBody.illegalArgument("no node has a segment store"));
    }
    @Nullable IOException failure = null;
    for (NodeInfo node : nodes) {
      try {
        return ask(node, method, path, timeout);
      } catch (IOException e) {
        failure = new IOException("[" + node.name() + "] " + e, e);
      }
    }
    throw new ApiException(503, "connect_transport_exception", String.valueOf(failure));
  }

  private byte[] ask(NodeInfo node, String method, String path, Duration timeout)
      throws IOException, InterruptedException {
    NodeHttp.Answer answer =
        http.send(
            new NodeRequest(
                method, node.url() + "/_internal/store" + path, List.of(), null, timeout));
    if (answer.status() != 200) {
      throw new ApiException(ErrorBodies.read(answer.status(), answer.body()));
    }
    return answer.body();
  }
}
