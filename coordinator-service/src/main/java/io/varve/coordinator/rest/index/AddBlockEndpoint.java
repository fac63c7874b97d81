package io.varve.coordinator.rest.index;

import io.varve.cluster.IndexMetadata;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code PUT /{index}/_block/{block}}: the block is effective when the response is sent. */
public final class AddBlockEndpoint implements RestEndpoint {

  private static final Set<String> BLOCKS =
      Set.of("read", "write", "metadata", "read_only", "read_only_allow_delete");

  private final ClusterAccess cluster;

  public AddBlockEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.PUT), "/{index}/_block/{block}");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofParameters(Map.of("block", "write"));
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.required("index");
    String block = request.required("block");
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    IndexOptions options = IndexOptions.of(request, IndexOptions.SHOW);
    check(block);
    return responder -> {
      List<String> names =
          IndexResolver.resolve(cluster.state(), expression, options).stream()
              .map(IndexMetadata::name)
              .toList();
      if (!names.isEmpty()) {
        cluster.change(
            new ClusterCommand.UpdateIndexSettings(
                names, Map.of("index.blocks." + block, "true"), false),
            timeout);
      }
      List<Map<String, Object>> indices = new ArrayList<>();
      for (String name : names) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("name", name);
        one.put("blocked", true);
        indices.add(one);
      }
      Map<String, Object> answer = new LinkedHashMap<>();
      boolean acknowledged = cluster.awaitAcknowledged(ackTimeout);
      answer.put("acknowledged", acknowledged);
      answer.put("shards_acknowledged", acknowledged);
      answer.put("indices", indices);
      responder.json(200, answer);
    };
  }

  private static void check(String block) {
    if (!BLOCKS.contains(block)) {
      throw new ApiException(ErrorBody.illegalArgument("No block found with name [" + block + "]"));
    }
    if (block.equals("read_only_allow_delete")) {
      throw new ApiException(
          400,
          "action_request_validation_exception",
          "Validation Failed: 1: read_only_allow_delete block is for internal use only;");
    }
  }
}
