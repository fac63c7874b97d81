package io.varve.coordinator.security;

import io.varve.rest.JsonObjects;
import io.varve.rest.RequestExample;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.security.SecurityCommand;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The endpoints of one kind of entity: list, read, put and delete. */
record EntityEndpoint(EntityKind kind, SecurityStates security, SecurityCommands commands)
    implements PluginEndpoint {

  private static final String NAME = "name";

  @Override
  public List<Route> routes() {
    return Route.both(
        Route.get(API + kind.path()),
        Route.of(
            List.of(RestMethod.GET, RestMethod.PUT, RestMethod.DELETE),
            API + kind.path() + "/{name}"));
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody(kind.exampleBody());
  }

  @Override
  public RestAction prepare(RestRequest request) {
    return switch (request.method()) {
      case PUT -> put(request);
      case DELETE -> delete(request.required(NAME));
      case GET, HEAD, POST, PATCH -> show(request.param(NAME));
    };
  }

  private RestAction put(RestRequest request) {
    String name = request.required(NAME);
    Supplier<SecurityCommand> command =
        kind.put().apply(name, RequestFields.of(request, kind.fields()));
    return responder -> {
      boolean created = commands.execute(command.get()).created();
      responder.json(
          created ? 201 : 200,
          done(
              created ? "CREATED" : "OK", "'" + name + "' " + (created ? "created." : "updated.")));
    };
  }

  private RestAction delete(String name) {
    SecurityCommand command = kind.delete().apply(name);
    return responder -> {
      var _ = commands.execute(command);
      responder.json(200, done("OK", "'" + name + "' deleted."));
    };
  }

  private RestAction show(@Nullable String name) {
    return responder -> {
      Map<String, Map<String, Object>> all = kind.shown().apply(security.current().state());
      responder.json(200, name == null ? all : Map.of(name, one(all, name)));
    };
  }

  private static Map<String, Object> one(Map<String, Map<String, Object>> all, String name) {
    Map<String, Object> one = all.get(name);
    if (one == null) {
      throw notFound(name);
    }
    return one;
  }

  static ApiException notFound(String name) {
    return new ApiException(
        404, "resource_not_found_exception", "Resource '" + name + "' not found.");
  }

  static Map<String, Object> done(String status, String message) {
    return JsonObjects.object("status", status, "message", message);
  }
}
