package io.varve.rest.route;

import io.varve.http.route.RawPath;
import io.varve.http.route.RouteTree;
import io.varve.rest.KindOfWork;
import io.varve.rest.RestEndpoint;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * The routes of all endpoints of the REST dialect, as one {@link RouterFunction}: one look-up in a
 * {@link RouteTree} by the raw path, regardless of the number of routes.
 *
 * <p>Every request has a handler: a path or method without a route gets OpenSearch's 400 or 405.
 * The paths of internal calls, {@code /_internal/}, of operators, {@code /_actuator}, and of the
 * console, {@code /_console}, are not routed here.
 */
public final class RestRoutes implements RouterFunction<RestResponse> {

  private final RouteTree<RestTarget> tree;
  private final RestFilters filters;
  private final HandlerFunction<RestResponse> endpointHandler;
  private final HandlerFunction<RestResponse> noHandler;

  public RestRoutes(Collection<? extends RestEndpoint> endpoints, RestFilters filters) {
    this.tree =
        new RouteTree<>(
            endpoints.stream()
                .flatMap(endpoint -> endpoint.routes().stream().map(route -> of(route, endpoint)))
                .toList());
    this.filters = filters;
    this.endpointHandler = filters.beforeEndpoint(RestRoutes::run);
    this.noHandler = filters.before(RestRoutes::noHandler);
  }

  private static RouteTree.Route<RestTarget> of(Route route, RestEndpoint endpoint) {
    RestTarget target =
        new RestTarget(
            endpoint,
            route.method(),
            KindOfWork.of(route.method(), route.template()),
            route.template());
    return new RouteTree.Route<>(route.method().name(), route.template(), target);
  }

  /**
   * Empty for paths that are not part of the REST API, and for the container's own error dispatch.
   */
  @Override
  public Optional<HandlerFunction<RestResponse>> route(ServerRequest request) {
    HttpServletRequest http = request.servletRequest();
    String path = RawPath.of(http);
    return isOfDialect(path) && http.getDispatcherType() == DispatcherType.REQUEST
        ? Optional.of(handler(http, path))
        : Optional.empty();
  }

  private static boolean isOfDialect(String path) {
    return !path.startsWith("/_internal/")
        && !isBelow("/_actuator", path)
        && !isBelow("/_console", path);
  }

  private static boolean isBelow(String root, String path) {
    return path.startsWith(root)
        && (path.length() == root.length() || path.charAt(root.length()) == '/');
  }

  private HandlerFunction<RestResponse> handler(HttpServletRequest http, String path) {
    try {
      return switch (tree.find(http.getMethod().toUpperCase(Locale.ROOT), path)) {
        case RouteTree.Match.Found<RestTarget>(
                RestTarget target,
                Map<String, String> variables) -> {
          http.setAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE, target.template());
          yield on(new RestCall(http, target, variables), endpointHandler);
        }
        case RouteTree.Match.WrongMethod<RestTarget>(List<String> allowed) ->
            on(new RestCall(http), filters.before(request -> wrongMethod(request, allowed)));
        case RouteTree.Match.NoRoute<RestTarget> _ -> on(new RestCall(http), noHandler);
      };
    } catch (ApiException e) {
      return on(
          new RestCall(http),
          filters.before(_ -> {
            throw e;
          }));
    }
  }

  /** The handler receives the call in place of Spring's request. */
  private static HandlerFunction<RestResponse> on(
      RestCall call, HandlerFunction<RestResponse> handler) {
    return _ -> handler.handle(call);
  }

  private static RestResponse run(ServerRequest request) throws InterruptedException {
    RestCall call = RestCall.of(request);
    call.action().run(call.responder());
    return call.response();
  }

  private static RestResponse wrongMethod(ServerRequest request, List<String> allowed) {
    RestCall call = RestCall.of(request);
    call.responder().header("Allow", String.join(",", allowed));
    if (isOptions(call)) {
      call.responder().status(200);
      return call.response();
    }
    return SimpleErrors.answer(
        call,
        405,
        "Incorrect HTTP method for uri ["
            + uri(call)
            + "] and method ["
            + call.http().getMethod()
            + "], allowed: "
            + allowed);
  }

  private static RestResponse noHandler(ServerRequest request) {
    RestCall call = RestCall.of(request);
    if (isOptions(call)) {
      call.responder().status(200);
      call.responder().header("Allow", "GET");
    } else {
      String error =
          "no handler found for uri [" + uri(call) + "] and method [" + call.http().getMethod();
      call.responder().json(400, Map.of("error", error + "]"));
    }
    return call.response();
  }

  private static boolean isOptions(RestCall call) {
    return call.http().getMethod().equalsIgnoreCase("OPTIONS");
  }

  private static String uri(RestCall call) {
    String query = call.http().getQueryString();
    String path = RawPath.of(call.http());
    return query == null ? path : path + "?" + query;
  }
}
