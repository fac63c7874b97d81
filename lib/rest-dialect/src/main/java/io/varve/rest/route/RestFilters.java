package io.varve.rest.route;

import io.varve.rest.InFlightRequests;
import io.varve.rest.RequestGuard;
import io.varve.rest.RequestRunner;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * The filters of the REST dialect in the order in which a request passes them. A request without a
 * route passes the first four, a request to an endpoint passes all:
 *
 * <ol>
 *   <li>{@link OpaqueIdFilter}: returns the client's id
 *   <li>{@link UnreadBodyFilter}: skips the rest of the body after an error
 *   <li>{@link ErrorFilter}: converts failures to responses
 *   <li>{@link ResponseFormFilter}: reads parameters and the form of the response
 *   <li>{@link GuardFilter}: 403 for actions without permission; only with security
 *   <li>{@link HeapFilter}: 429 while the heap is full
 *   <li>{@link BodyFilter}: reads the body; 413, 429, 408, 406
 *   <li>{@link PoolFilter}: counts the request as its kind of work
 *   <li>{@link PreparationFilter}: the endpoint's first step; 400 for unread parameters
 *   <li>{@link TaskFilter}: lists the second step as a task
 * </ol>
 */
public final class RestFilters {

  private final List<HandlerFilterFunction<RestResponse, RestResponse>> ofAll =
      List.of(
          new OpaqueIdFilter(),
          new UnreadBodyFilter(),
          new ErrorFilter(),
          new ResponseFormFilter());
  private final List<HandlerFilterFunction<RestResponse, RestResponse>> ofEndpoints;

  /**
   * Without security.
   *
   * @param maxContentBytes of a body, decompressed
   */
  public RestFilters(long maxContentBytes, InFlightRequests inFlight, RequestRunner requests) {
    this(maxContentBytes, inFlight, requests, null);
  }

  /**
   * @param maxContentBytes of a body, decompressed
   * @param guard null without security
   */
  public RestFilters(
      long maxContentBytes,
      InFlightRequests inFlight,
      RequestRunner requests,
      @Nullable RequestGuard guard) {
    List<HandlerFilterFunction<RestResponse, RestResponse>> filters = new ArrayList<>();
    if (guard != null) {
      filters.add(new GuardFilter(guard));
    }
    filters.add(new HeapFilter(inFlight));
    filters.add(new BodyFilter(maxContentBytes, inFlight));
    filters.add(new RestPoolFilter(requests));
    filters.add(new PreparationFilter());
    filters.add(new TaskFilter(requests));
    this.ofEndpoints = List.copyOf(filters);
  }

  /** The handler of requests without a route, behind its filters. */
  HandlerFunction<RestResponse> before(HandlerFunction<RestResponse> handler) {
    return chain(ofAll, handler);
  }

  /** The handler of requests to endpoints, behind all filters. */
  HandlerFunction<RestResponse> beforeEndpoint(HandlerFunction<RestResponse> handler) {
    return chain(ofAll, chain(ofEndpoints, handler));
  }

  private static HandlerFunction<RestResponse> chain(
      List<HandlerFilterFunction<RestResponse, RestResponse>> filters,
      HandlerFunction<RestResponse> handler) {
    HandlerFunction<RestResponse> chain = handler;
    for (HandlerFilterFunction<RestResponse, RestResponse> filter : filters.reversed()) {
      chain = filter.apply(chain);
    }
    return chain;
  }

  /** Handles a request whose body was read; no other checked exception can occur after that. */
  static RestResponse handle(HandlerFunction<RestResponse> next, ServerRequest request)
      throws InterruptedException {
    try {
      return next.handle(request);
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
