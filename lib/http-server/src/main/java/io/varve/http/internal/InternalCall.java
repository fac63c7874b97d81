package io.varve.http.internal;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.function.ServerRequest;

/** One request to an internal endpoint, with its route. An attribute of the request. */
public final class InternalCall {

  private static final String ATTRIBUTE = InternalCall.class.getName();
  private static final String NO_ROUTE = "unknown";

  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final InternalResponse written;
  private String name = NO_ROUTE;
  private Map<String, String> variables = Map.of();

  private InternalCall(HttpServletRequest request, HttpServletResponse response) {
    this.request = request;
    this.response = response;
    this.written = new InternalResponse(response);
  }

  static void begin(HttpServletRequest request, HttpServletResponse response) {
    request.setAttribute(ATTRIBUTE, new InternalCall(request, response));
  }

  public static InternalCall of(ServerRequest request) {
    return (InternalCall)
        Objects.requireNonNull(request.servletRequest().getAttribute(ATTRIBUTE), "no call");
  }

  void route(InternalRoute route, Map<String, String> decoded) {
    name = route.name();
    variables = decoded;
  }

  public HttpServletRequest request() {
    return request;
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

  /** The decoded segment of the path that a variable of the template stands for. */
  public @Nullable String variable(String variable) {
    return variables.get(variable);
  }

  public String requiredVariable(String variable) {
    return Objects.requireNonNull(variables.get(variable), variable);
  }
}
