package io.varve.coordinator.rest.alias;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.IndexMetadata;
import io.varve.control.command.AliasChange;
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
import java.util.List;
import java.util.Map;

/** {@code PUT} and {@code DELETE}: adds an alias to indices, or removes it. */
public final class PutAliasEndpoint implements RestEndpoint {

  private static final String[] NAMED = {"/{index}/_alias/{name}", "/{index}/_aliases/{name}"};

  private final ClusterAccess cluster;
  private final boolean delete;

  private PutAliasEndpoint(ClusterAccess cluster, boolean delete) {
    this.cluster = cluster;
    this.delete = delete;
  }

  /** Returns one endpoint for adding and one for removing. */
  public static List<PutAliasEndpoint> all(ClusterAccess cluster) {
    return List.of(new PutAliasEndpoint(cluster, false), new PutAliasEndpoint(cluster, true));
  }

  @Override
  public List<Route> routes() {
    if (delete) {
      return Route.of(List.of(RestMethod.DELETE), NAMED);
    }
    return Route.both(
        Route.both(Route.putAndPost(NAMED), Route.putAndPost("/_alias/{name}", "/_aliases/{name}")),
        Route.of(List.of(RestMethod.PUT), "/{index}/_alias", "/{index}/_aliases", "/_alias"));
  }

  @Override
  public RequestExample example() {
    return delete
        ? RequestExample.NOTHING_NEEDED
        : RequestExample.ofBody(
            "{\"index\":\"books-1\",\"alias\":\"books\",\"filter\":{\"term\":{\"lent\":false}}}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    String expression = request.param("index", "");
    String name = request.param("name", "");
    AliasMetadata metadata = AliasMetadata.PLAIN;
    if (!delete) {
      Map<String, Object> body = request.bodyAsMap();
      expression = body.get("index") == null ? expression : body.get("index").toString();
      name = body.get("alias") == null ? name : body.get("alias").toString();
      metadata = metadata(name, body);
    }
    AliasChange change =
        new AliasChange(
            delete ? AliasChange.Kind.REMOVE : AliasChange.Kind.ADD,
            List.of(expression),
            delete ? List.of(name.split(",", -1)) : List.of(name),
            metadata,
            null);
    return responder -> {
      refuseBlank(change);
      cluster.change(new ClusterCommand.UpdateAliases(List.of(named(cluster, change))), timeout);
      responder.json(200, Map.of("acknowledged", cluster.awaitAcknowledged(ackTimeout)));
    };
  }

  private static void refuseBlank(AliasChange change) {
    if (change.indices().getFirst().isBlank()) {
      throw new ApiException(ErrorBody.illegalArgument("[index] can't be empty string"));
    }
    if (change.aliases().getFirst().isBlank()) {
      throw new ApiException(ErrorBody.illegalArgument("[alias] can't be empty string"));
    }
  }

  private static AliasMetadata metadata(String name, Map<String, Object> body) {
    AliasJson.Builder builder = new AliasJson.Builder(name);
    body.forEach((field, value) -> {
      if (!field.equals("index") && !field.equals("alias") && !builder.take(field, value)) {
        throw new ApiException(ErrorBody.illegalArgument("unknown field [" + field + "]"));
      }
    });
    return builder.build();
  }

  /** Returns the change with its index expressions resolved to concrete names. */
  static AliasChange named(ClusterAccess cluster, AliasChange change) {
    IndexOptions options =
        new IndexOptions(
            false,
            change.kind() == AliasChange.Kind.REMOVE,
            IndexOptions.CONCRETE.states(),
            false,
            IndexOptions.Aliases.REFUSED);
    List<String> names =
        IndexResolver.resolve(
                cluster.state(), String.join(",", change.indices()), options, "index_or_alias")
            .stream()
            .map(IndexMetadata::name)
            .toList();
    return new AliasChange(
        change.kind(), names, change.aliases(), change.metadata(), change.mustExist());
  }
}
