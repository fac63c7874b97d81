package io.varve.coordinator.security;

import io.varve.coordinator.access.Access;
import io.varve.rest.JsonObjects;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.security.ApiKey;
import io.varve.security.Authorizer;
import io.varve.security.Principal;
import io.varve.security.SecurityCommand;
import io.varve.text.TimeValues;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Creates, lists and invalidates API keys, as Elasticsearch's endpoint does. A user manages its own
 * keys; those of others need {@value #OTHERS}. The key itself is shown once.
 */
final class ApiKeyEndpoint implements RestEndpoint {

  static final String OTHERS = "cluster:admin/security/api_key/others";

  private static final String PATH = "/_security/api_key";

  private final SecurityStates security;
  private final SecurityCommands commands;
  private final Secrets secrets;
  private final InstantSource clock;
  private final NameRules names;

  ApiKeyEndpoint(
      SecurityStates security,
      SecurityCommands commands,
      Secrets secrets,
      InstantSource clock,
      NameRules names) {
    this.security = security;
    this.commands = commands;
    this.secrets = secrets;
    this.clock = clock;
    this.names = names;
  }

  @Override
  public List<Route> routes() {
    return Route.of(
        List.of(RestMethod.GET, RestMethod.PUT, RestMethod.POST, RestMethod.DELETE), PATH);
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"name\":\"importer\"}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    return switch (request.method()) {
      case PUT, POST -> create(request);
      case DELETE -> invalidate(request);
      case GET, HEAD, PATCH -> list(request);
    };
  }

  private RestAction create(RestRequest request) {
    RequestFields body =
        RequestFields.of(request, Set.of("name", "expiration", "role_descriptors", "metadata"));
    body.requireEmpty("role_descriptors", "a key has the rights of its user");
    body.requireEmpty("metadata", "a key has only a name");
    String name = names.require(body.text("name"));
    String expiration = body.text("expiration");
    long lifeMillis = expiration.isEmpty() ? 0 : TimeValues.parseMillis("expiration", expiration);
    if (!expiration.isEmpty() && lifeMillis <= 0) {
      throw RequestFields.refused("[expiration] must be positive, was [" + expiration + "]");
    }
    return responder -> {
      Principal user = Access.current().principal();
      if (user.apiKeyId() != null) {
        throw new ApiException(403, "security_exception", "an API key can't create API keys");
      }
      String key = secrets.newKey();
      long now = clock.millis();
      ApiKey stored =
          RequestFields.valid(() ->
              new ApiKey(
                  secrets.newId(),
                  name,
                  user.name(),
                  Secrets.hash(key),
                  now,
                  lifeMillis == 0 ? 0 : Math.addExact(now, lifeMillis)));
      var _ = commands.execute(new SecurityCommand.CreateApiKey(stored));
      responder.json(200, created(stored, key));
    };
  }

  private static Map<String, Object> created(ApiKey stored, String key) {
    String pair = stored.id() + ":" + key;
    Map<String, Object> shown =
        JsonObjects.object(
            "id", stored.id(),
            "name", stored.name(),
            "api_key", key,
            "encoded", Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    if (stored.expiresMillis() != 0) {
      shown.put("expiration", stored.expiresMillis());
    }
    return shown;
  }

  private RestAction list(RestRequest request) {
    Predicate<ApiKey> asked =
        selected(request.param("id"), request.param("name"), request.param("username"));
    boolean own = request.flag("owner", false);
    return responder -> {
      Access access = Access.current();
      boolean all = !own && access.allowsCluster(OTHERS);
      List<Map<String, Object>> shown =
          security.current().state().apiKeys().values().stream()
              .filter(asked)
              .filter(key -> all || key.owner().equals(access.principal().name()))
              .map(ApiKeyEndpoint::shown)
              .toList();
      responder.json(200, Map.of("api_keys", shown));
    };
  }

  private static Map<String, Object> shown(ApiKey key) {
    Map<String, Object> shown =
        JsonObjects.object(
            "id", key.id(),
            "name", key.name(),
            "creation", key.createdMillis(),
            "invalidated", false,
            "username", key.owner());
    if (key.expiresMillis() != 0) {
      shown.put("expiration", key.expiresMillis());
    }
    return shown;
  }

  private RestAction invalidate(RestRequest request) {
    RequestFields body =
        RequestFields.of(request, Set.of("id", "ids", "name", "username", "owner"));
    List<String> ids = body.has("id") ? List.of(body.text("id")) : body.texts("ids");
    Predicate<ApiKey> named =
        selected(
            null,
            body.has("name") ? body.text("name") : null,
            body.has("username") ? body.text("username") : null);
    if (ids.isEmpty() && !body.has("name") && !body.has("username")) {
      throw RequestFields.refused("one of [ids], [name] and [username] is required");
    }
    return responder -> {
      Access access = Access.current();
      List<ApiKey> keys =
          security.current().state().apiKeys().values().stream()
              .filter(key -> ids.isEmpty() || ids.contains(key.id()))
              .filter(named)
              .toList();
      boolean others =
          keys.stream().anyMatch(key -> !key.owner().equals(access.principal().name()));
      if (others && !access.allowsCluster(OTHERS)) {
        throw new ApiException(Authorizer.refusal(access.principal(), OTHERS));
      }
      List<String> invalidated = keys.stream().map(ApiKey::id).toList();
      var _ = commands.execute(new SecurityCommand.InvalidateApiKeys(invalidated));
      responder.json(
          200,
          JsonObjects.object(
              "invalidated_api_keys",
              invalidated,
              "previously_invalidated_api_keys",
              List.of(),
              "error_count",
              0));
    };
  }

  private static Predicate<ApiKey> selected(
      @Nullable String id, @Nullable String name, @Nullable String user) {
    return key ->
        (id == null || key.id().equals(id))
            && (name == null || key.name().equals(name))
            && (user == null || key.owner().equals(user));
  }
}
