package io.varve.node.http;

import io.varve.cluster.ClusterView;
import io.varve.cluster.IndexMetadata;
import io.varve.engine.SearchView;
import io.varve.engine.search.ShardSearcher;
import io.varve.node.ShardCopy;
import io.varve.rpc.ApiException;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import io.varve.search.mapping.Mapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** {@code POST /search}: one search on one copy, under the newest mapping that this node knows. */
public final class SearchEndpoint implements ShardEndpoint {

  private record Known(long version, Mapping mapping) {}

  private final ClusterView cluster;
  private final ShardSearcher searcher = new ShardSearcher();
  private final Map<String, Known> mappings = new ConcurrentHashMap<>();

  public SearchEndpoint(ClusterView cluster) {
    this.cluster = cluster;
  }

  @Override
  public void handle(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    long began = System.nanoTime();
    ShardSearchRequest search = ShardSearchRequest.fromBytes(Bodies.read(request));
    Mapping mapping = mapping(copy.shard().indexUuid());
    byte[] answer;
    try (SearchView view = CopyEndpoints.searchable(copy).acquireView()) {
      ShardSearchResult found = searcher.search(view.searcher(), mapping, search);
      answer = found.at(view.visibleSeqNo(), System.nanoTime() - began).toBytes();
    }
    Bodies.send(response, ShardSearchRequest.CONTENT_TYPE, answer);
  }

  /** Parsed once for each version. */
  private Mapping mapping(String indexUuid) {
    IndexMetadata index =
        cluster
            .current()
            .index(indexUuid)
            .orElseThrow(() ->
                new ApiException(404, "index_not_found_exception", "no such index " + indexUuid));
    Known known = mappings.get(indexUuid);
    if (known == null || known.version() != index.mappingVersion()) {
      known = new Known(index.mappingVersion(), Mapping.parse(index.mapping()));
      mappings.put(indexUuid, known);
      mappings.keySet().removeIf(uuid -> cluster.current().index(uuid).isEmpty());
    }
    return known.mapping();
  }
}
