package io.varve.http.internal;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.http.route.RawPath;
import io.varve.http.route.RouteTree;
import io.varve.http.security.Peers;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * The routes of all internal endpoints of a service, as one {@link RouterFunction}: one look-up in
 * a {@link RouteTree} by the raw path. Every request has a handler: a path or method without a
 * route gets 404. A request passes these filters in order:
 *
 * <ol>
 *   <li>{@link InternalMetricsFilter}: times the request
 *   <li>{@link InternalErrorFilter}: converts failures to responses
 *   <li>{@link InternalPeerFilter}: 401 or 403 unless a process may call it; only with security
 *   <li>the filters of its {@link InternalRoute}
 * </ol>
 */
public final class InternalRoutes implements RouterFunction<InternalResponse> {

  private record Target(InternalRoute route, HandlerFunction<InternalResponse> handler) {}

  private final RouteTree<Target> tree;
  private final List<HandlerFilterFunction<InternalResponse, InternalResponse>> filters;
  private final HandlerFunction<InternalResponse> noRoute;

  /**
   * Without security.
   *
   * @param nanos a monotonic clock
   * @throws IllegalArgumentException if two routes have the same method and template
   */
  public InternalRoutes(
      Collection<InternalRoute> routes, MeterRegistry meters, LongSupplier nanos) {
    this(routes, meters, nanos, null);
  }

  /**
   * @param nanos a monotonic clock
   * @param peers that may call; null without security
   * @throws IllegalArgumentException if two routes have the same method and template
   */
  public InternalRoutes(
      Collection<InternalRoute> routes,
      MeterRegistry meters,
      LongSupplier nanos,
      @Nullable Peers peers) {
    List<HandlerFilterFunction<InternalResponse, InternalResponse>> all = new ArrayList<>();
    all.add(new InternalMetricsFilter(new InternalCallTimes(meters, nanos)));
    all.add(new InternalErrorFilter());
    if (peers != null) {
      all.add(new InternalPeerFilter(peers));
    }
    this.filters = List.copyOf(all);
    this.tree = new RouteTree<>(routes.stream().map(this::of).toList());
    this.noRoute = chain(filters, InternalRoutes::noRoute);
  }

  private RouteTree.Route<Target> of(InternalRoute route) {
    HandlerFunction<InternalResponse> endpoint =
        request -> {
          InternalCall call = InternalCall.of(request);
          route.endpoint().handle(call);
          return call.written();
        };
    Target target = new Target(route, chain(filters, chain(route.filters(), endpoint)));
    return new RouteTree.Route<>(route.method(), route.template(), target);
  }

  private static HandlerFunction<InternalResponse> chain(
      List<HandlerFilterFunction<InternalResponse, InternalResponse>> filters,
      HandlerFunction<InternalResponse> handler) {
    HandlerFunction<InternalResponse> chain = handler;
    for (HandlerFilterFunction<InternalResponse, InternalResponse> filter : filters.reversed()) {
      chain = filter.apply(chain);
    }
    return chain;
  }

  /** Whether an endpoint has this method and raw path. */
  boolean has(String method, String path) {
    try {
      return tree.find(method, path) instanceof RouteTree.Match.Found<Target>;
    } catch (ApiException e) {
      // The path cannot be decoded: the caller gets the error over HTTP.
      return false;
    }
  }

  /** Never empty. */
  @Override
  public Optional<HandlerFunction<InternalResponse>> route(ServerRequest request) {
    HttpServletRequest http = request.servletRequest();
    try {
      return Optional.of(
          switch (tree.find(http.getMethod(), RawPath.of(http))) {
            case RouteTree.Match.Found<Target>(Target target, Map<String, String> variables) -> {
              InternalCall.of(request).route(target.route(), variables);
              http.setAttribute(
                  HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE, target.route().template());
              yield target.handler();
            }
            case RouteTree.Match.WrongMethod<Target> _, RouteTree.Match.NoRoute<Target> _ ->
                noRoute;
          });
    } catch (ApiException e) {
      return Optional.of(
          chain(
              filters,
              _ -> {
                throw e;
              }));
    }
  }

  private static InternalResponse noRoute(ServerRequest request) {
    String line = request.servletRequest().getMethod() + " " + RawPath.of(request.servletRequest());
    throw new ApiException(ErrorBody.noEndpoint(line));
  }
}
