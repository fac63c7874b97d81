package io.varve.coordinator.rest.index;

import static io.varve.rest.JsonObjects.object;

import io.varve.client.CopyReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.rest.HumanText;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.CopySegments;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code _segments}: the segments of each copy. */
public final class SegmentsEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final CopyReader reader;

  public SegmentsEndpoint(ClusterAccess cluster, CopyReader reader) {
    this.cluster = cluster;
    this.reader = reader;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_segments", "/{index}/_segments");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    boolean verbose = request.flag("verbose", false);
    boolean human = request.flag("human", false);
    IndexOptions options = IndexOptions.of(request, IndexOptions.LENIENT);
    return responder -> {
      ClusterState state = cluster.state();
      List<IndexMetadata> indices = IndexResolver.resolve(state, expression, options);
      List<CopyReader.Answer<CopySegments>> answers = reader.segments(state, indices);
      Map<String, Object> answer = answer(indices, answers, verbose);
      responder.json(200, human ? HumanText.of(answer) : answer);
    };
  }

  private static Map<String, Object> answer(
      List<IndexMetadata> indices, List<CopyReader.Answer<CopySegments>> answers, boolean verbose) {
    ShardCounts counts = new ShardCounts();
    Map<String, Map<String, List<Object>>> byIndex = new LinkedHashMap<>();
    indices.forEach(index -> byIndex.put(index.name(), new LinkedHashMap<>()));
    int total = 0;
    for (IndexMetadata index : indices) {
      total += index.shards().stream().mapToInt(shard -> shard.copies().size()).sum();
    }
    int successful = 0;
    for (CopyReader.Answer<CopySegments> answer : answers) {
      ErrorBody failure = answer.failure();
      int number = answer.copy().shard().number();
      if (failure != null) {
        counts.addFailure(answer.index().name(), number, failure);
        continue;
      }
      successful++;
      byIndex
          .getOrDefault(answer.index().name(), new LinkedHashMap<>())
          .computeIfAbsent(Integer.toString(number), _ -> new ArrayList<>())
          .add(copy(answer, verbose));
    }
    counts.add(total, successful);
    Map<String, Object> shown = new LinkedHashMap<>();
    byIndex.forEach((name, shards) -> shown.put(name, object("shards", shards)));
    return object("_shards", counts.toMap(), "indices", shown);
  }

  private static Map<String, Object> copy(CopyReader.Answer<CopySegments> answer, boolean verbose) {
    CopySegments reported = answer.result().orElseGet(() -> new CopySegments(List.of()));
    Map<String, Object> segments = new LinkedHashMap<>();
    for (CopySegments.Segment segment : reported.segments()) {
      Map<String, Object> shown = SegmentJson.segment(segment);
      if (verbose) {
        shown.put("file_bytes", new TreeMap<>(segment.fileBytes()));
      }
      segments.put(segment.name(), shown);
    }
    return object(
        "routing",
        object(
            "state", answer.copy().copy().state().name(),
            "primary", answer.primary(),
            "node", answer.copy().node().nodeId()),
        "num_committed_segments",
        reported.committed(),
        "num_search_segments",
        reported.searched(),
        "segments",
        segments);
  }
}
