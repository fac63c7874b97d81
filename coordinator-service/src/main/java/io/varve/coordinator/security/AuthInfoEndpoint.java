package io.varve.coordinator.security;

import io.varve.coordinator.access.Access;
import io.varve.rest.JsonObjects;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Returns the user as which a client is authenticated. */
final class AuthInfoEndpoint implements PluginEndpoint {

  @Override
  public List<Route> routes() {
    return Route.get("/_plugins/_security/authinfo");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    return responder -> {
      Principal user = Access.current().principal();
      Map<String, Object> shown =
          JsonObjects.object(
              "user", user.toString(),
              "user_name", user.name(),
              "backend_roles", user.backendRoles(),
              "roles", new TreeSet<>(user.roles()),
              "custom_attribute_names", List.of(),
              "tenants", Map.of());
      if (user.apiKeyId() != null) {
        shown.put("api_key_id", user.apiKeyId());
      }
      responder.json(200, shown);
    };
  }
}
