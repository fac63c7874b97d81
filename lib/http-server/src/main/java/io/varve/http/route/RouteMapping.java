package io.varve.http.route;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.converter.ByteArrayHttpMessageConverter;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;

/**
 * Maps requests to the routes of all {@link RouterFunction} beans.
 *
 * <p>It precedes all other mappings: those match decoded paths and would match {@code
 * //_actuator/health} or {@code /%5Factuator/health} from an index of that name. No route has a
 * CORS configuration, so a preflight request is handled like any other {@code OPTIONS} request.
 */
final class RouteMapping extends RouterFunctionMapping {

  RouteMapping() {
    setOrder(Ordered.HIGHEST_PRECEDENCE);
    setMessageConverters(List.of(new ByteArrayHttpMessageConverter()));
  }

  RouteMapping(RouterFunction<?> routes) {
    this();
    setRouterFunction(routes);
  }

  @Override
  protected HandlerExecutionChain getCorsHandlerExecutionChain(
      HttpServletRequest request, HandlerExecutionChain chain, @Nullable CorsConfiguration config) {
    return chain;
  }
}
