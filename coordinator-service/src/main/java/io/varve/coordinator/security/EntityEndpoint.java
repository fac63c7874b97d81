package io.varve.coordinator.security;

import io.varve.rest.JsonObjects;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.security.SecurityCommand;
import io.varve.security.SecurityState;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The endpoints of one kind of entity below {@code /_plugins/_security/api}: list, read, put and
 * delete.
 *
 * @param path of the kind
 * @param exampleBody a body that creates an entity
 * @param shown the entities of a state, by name, as responses show them
 * @param put reads the body of a request; the command is made when the request runs
 * @param delete the command that deletes an entity
 */
record EntityEndpoint(
    String path,
    String exampleBody,
    SecurityStates security,
    SecurityCommands commands,
    Function<SecurityState, Map<String, Map<String, Object>>> shown,
    Function<RestRequest, Supplier<SecurityCommand>> put,
    Function<String, SecurityCommand> delete)
    implements RestEndpoint {

  static final String API = "/_plugins/_security/api/";
  private static final String NAME = "name";

  @Override
  public List<Route> routes() {
    return Route.both(
        Route.get(API + path),
        Route.of(
            List.of(RestMethod.GET, RestMethod.PUT, RestMethod.DELETE), API + path + "/{name}"));
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody(exampleBody);
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String name = request.param(NAME);
    return switch (request.method()) {
      case PUT -> {
        Supplier<SecurityCommand> command = put.apply(request);
        yield responder -> {
          boolean created = commands.execute(command.get()).created();
          responder.json(
              created ? 201 : 200,
              done(
                  created ? "CREATED" : "OK",
                  "'" + name + "' " + (created ? "created." : "updated.")));
        };
      }
      case DELETE -> {
        SecurityCommand command = delete.apply(request.required(NAME));
        yield responder -> {
          var _ = commands.execute(command);
          responder.json(200, done("OK", "'" + name + "' deleted."));
        };
      }
      case GET, HEAD, POST ->
          responder -> {
            Map<String, Map<String, Object>> all = shown.apply(security.current().state());
            responder.json(200, name == null ? all : Map.of(name, one(all, name)));
          };
    };
  }

  private static Map<String, Object> one(Map<String, Map<String, Object>> all, String name) {
    Map<String, Object> one = all.get(name);
    if (one == null) {
      throw new ApiException(
          404, "resource_not_found_exception", "Resource '" + name + "' not found.");
    }
    return one;
  }

  static Map<String, Object> done(String status, String message) {
    return JsonObjects.object("status", status, "message", message);
  }
}
