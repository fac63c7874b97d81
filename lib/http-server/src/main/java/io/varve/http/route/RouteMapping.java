package io.varve.http.route;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.converter.ByteArrayHttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;

/**
 * Maps requests to the routes of all {@link RouterFunction} beans.
 *
 * <p>It precedes all other mappings: those match decoded paths and would match {@code
 * //_actuator/health} or {@code /%5Factuator/health} from an index of that name. No route has a
 * CORS configuration, so a preflight request is handled like any other {@code OPTIONS} request.
 *
 * <p>Routes get a {@link LazyServerRequest}. They match raw paths themselves, without the patterns
 * of Spring, so there is no pattern to record.
 */
final class RouteMapping extends RouterFunctionMapping {

  private static final List<HttpMessageConverter<?>> CONVERTERS =
      List.of(new ByteArrayHttpMessageConverter());

  RouteMapping() {
    setOrder(Ordered.HIGHEST_PRECEDENCE);
    setMessageConverters(CONVERTERS);
  }

  RouteMapping(RouterFunction<?> routes) {
    this();
    setRouterFunction(routes);
  }

  private static final class RoutedRequest extends LazyServerRequest {

    RoutedRequest(HttpServletRequest request) {
      super(request);
    }

    @Override
    public List<HttpMessageConverter<?>> messageConverters() {
      return CONVERTERS;
    }
  }

  @Override
  protected @Nullable Object getHandlerInternal(HttpServletRequest http) {
    RouterFunction<?> routes = getRouterFunction();
    if (routes == null) {
      return null;
    }
    ServerRequest request = new RoutedRequest(http);
    HandlerFunction<?> handler = routes.route(request).orElse(null);
    http.setAttribute(BEST_MATCHING_HANDLER_ATTRIBUTE, handler);
    http.setAttribute(RouterFunctions.REQUEST_ATTRIBUTE, request);
    return handler;
  }

  @Override
  protected HandlerExecutionChain getCorsHandlerExecutionChain(
      HttpServletRequest request, HandlerExecutionChain chain, @Nullable CorsConfiguration config) {
    return chain;
  }
}
