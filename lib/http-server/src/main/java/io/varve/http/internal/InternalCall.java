package io.varve.http.internal;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.function.ServerRequest;

/** One request to an internal endpoint, with its route and the response that is written to. */
public final class InternalCall extends LazyServerRequest {

  private static final String NO_ROUTE = "unknown";

  private final HttpServletResponse response;
  private final InternalResponse written;
  private String name = NO_ROUTE;
  private Map<String, String> variables = Map.of();

  InternalCall(HttpServletRequest request, HttpServletResponse response) {
    super(request);
    this.response = response;
    this.written = new InternalResponse(response);
  }

  /** The call that every filter and handler of an internal route is given. */
  public static InternalCall of(ServerRequest request) {
    return (InternalCall) request;
  }

  void route(InternalRoute route, Map<String, String> decoded) {
    name = route.name();
    variables = decoded;
  }

  public HttpServletRequest request() {
    return servletRequest();
  }

  public HttpServletResponse response() {
    return response;
  }

  /** What a handler returns once it has written the response. */
  public InternalResponse written() {
    return written;
  }

  /** Of the route; {@code unknown} without one. */
  public String name() {
    return name;
  }

  /** The decoded segments of the path that the variables of the template stand for. */
  @Override
  public Map<String, String> pathVariables() {
    return variables;
  }

  public @Nullable String variable(String variable) {
    return variables.get(variable);
  }

  public String requiredVariable(String variable) {
    return Objects.requireNonNull(variables.get(variable), variable);
  }
}
