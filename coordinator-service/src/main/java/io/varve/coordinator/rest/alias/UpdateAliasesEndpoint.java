package io.varve.coordinator.rest.alias;

import io.varve.cluster.AliasMetadata;
import io.varve.control.command.AliasChange;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code POST /_aliases}: makes several changes to aliases in one atomic step. */
public final class UpdateAliasesEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;

  public UpdateAliasesEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.POST), "/_aliases");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody(
        "{\"actions\":[{\"add\":{\"index\":\"books-2\",\"alias\":\"books\"}},"
            + "{\"remove\":{\"index\":\"books-1\",\"alias\":\"books\"}}]}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    request.requiredBody();
    List<AliasChange> changes = changes(request.bodyAsMap());
    if (changes.isEmpty()) {
      throw new ApiException(
          ErrorBodies.validation(List.of("Must specify at least one alias action")));
    }
    return responder -> {
      List<AliasChange> named = new ArrayList<>();
      for (AliasChange change : changes) {
        named.add(PutAliasEndpoint.named(cluster, change));
      }
      cluster.change(new ClusterCommand.UpdateAliases(named), timeout);
      responder.json(200, Map.of("acknowledged", cluster.awaitAcknowledged(ackTimeout)));
    };
  }

  private static List<AliasChange> changes(Map<String, Object> body) {
    List<AliasChange> changes = new ArrayList<>();
    body.forEach((key, value) -> {
      if (!key.equals("actions") || !(value instanceof List<?> actions)) {
        throw malformed("[aliases] unknown field [" + key + "]");
      }
      for (Object action : actions) {
        if (!(action instanceof Map<?, ?> map) || map.size() != 1) {
          throw malformed("[aliases] failed to parse field [actions]");
        }
        map.forEach((kind, fields) -> changes.add(change(String.valueOf(kind), fields)));
      }
    });
    return changes;
  }

  private static AliasChange change(String kind, @Nullable Object fields) {
    if (!(fields instanceof Map<?, ?> map)) {
      throw malformed("[alias_action] [" + kind + "] must be an object");
    }
    return switch (kind) {
      case "add" -> new Action(kind, map).change(AliasChange.Kind.ADD);
      case "remove" -> new Action(kind, map).change(AliasChange.Kind.REMOVE);
      case "remove_index" -> new Action(kind, map).change(AliasChange.Kind.DELETE_INDEX);
      default -> throw malformed("[alias_action] unknown field [" + kind + "]");
    };
  }

  private static ApiException malformed(String reason) {
    return new ApiException(400, "x_content_parse_exception", reason);
  }

  /** The fields of one action. */
  private static final class Action {
    private final String kind;
    private final List<String> indices = new ArrayList<>();
    private final List<String> aliases = new ArrayList<>();
    private final AliasJson.Builder metadata;
    private @Nullable Boolean mustExist;

    Action(String kind, Map<?, ?> fields) {
      this.kind = kind;
      this.metadata = new AliasJson.Builder(String.valueOf(fields.get("alias")));
      fields.forEach((field, value) -> take(String.valueOf(field), value));
    }

    private void take(String field, @Nullable Object value) {
      boolean known =
          switch (field) {
            case "index" -> add(indices, one(field, value));
            case "indices" -> indices.addAll(many(field, value));
            case "alias" -> !kind.equals("remove_index") && add(aliases, one(field, value));
            case "aliases" -> !kind.equals("remove_index") && aliases.addAll(many(field, value));
            case "must_exist" -> mustExist(value);
            default -> kind.equals("add") && metadata.take(field, value);
          };
      if (!known) {
        throw malformed("[" + kind + "] unknown field [" + field + "]");
      }
    }

    private static boolean add(List<String> list, String value) {
      return list.add(value);
    }

    private boolean mustExist(@Nullable Object value) {
      if (kind.equals("add")) {
        return false;
      }
      mustExist = Boolean.valueOf(String.valueOf(value));
      return true;
    }

    private static String one(String field, @Nullable Object value) {
      if (value == null || value.toString().isBlank()) {
        throw new ApiException(ErrorBody.illegalArgument("[" + field + "] can't be empty string"));
      }
      return value.toString();
    }

    private static List<String> many(String field, @Nullable Object value) {
      List<String> list = new ArrayList<>();
      if (value instanceof List<?> items) {
        items.forEach(item -> list.add(one(field, item)));
      }
      if (list.isEmpty()) {
        throw new ApiException(ErrorBody.illegalArgument("[" + field + "] can't be empty"));
      }
      return list;
    }

    AliasChange change(AliasChange.Kind changeKind) {
      if (indices.isEmpty()) {
        throw new ApiException(
            ErrorBody.illegalArgument("One of [index] or [indices] is required"));
      }
      if (aliases.isEmpty() && changeKind != AliasChange.Kind.DELETE_INDEX) {
        throw new ApiException(
            ErrorBody.illegalArgument("One of [alias] or [aliases] is required"));
      }
      AliasMetadata alias = metadata.build();
      return new AliasChange(changeKind, indices, aliases, alias, mustExist);
    }
  }
}
