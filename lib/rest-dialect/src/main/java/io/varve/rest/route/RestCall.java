package io.varve.rest.route;

import io.varve.http.route.LazyServerRequest;
import io.varve.rest.BodyFormat;
import io.varve.rest.FilterPath;
import io.varve.rest.RestEndpoint.RestAction;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * The state of one request while it passes the filters of {@link RestFilters}; each filter adds
 * values for those after it. For the request's thread only.
 *
 * <p>Until the form of the response is known, responses are plain JSON.
 */
final class RestCall extends LazyServerRequest {

  private final @Nullable RestTarget target;
  private final Map<String, String> variables;
  private Map<String, String> parameters = new LinkedHashMap<>();
  private RestResponder errors = new RestResponder(false, null, BodyFormat.JSON);
  private RestResponder responder = errors;
  private boolean stackTraceWanted;
  private @Nullable RestRequest request;
  private @Nullable RestAction action;

  /** A request without a route. */
  RestCall(HttpServletRequest http) {
    this(http, null, Map.of());
  }

  /**
   * @param variables the decoded path segments that match the variables of the template
   */
  RestCall(HttpServletRequest http, @Nullable RestTarget target, Map<String, String> variables) {
    super(http);
    this.target = target;
    this.variables = variables;
  }

  /** Casts the request that filters and handlers of the dialect receive. */
  static RestCall of(ServerRequest request) {
    return (RestCall) request;
  }

  @Override
  public Map<String, String> pathVariables() {
    return variables;
  }

  HttpServletRequest http() {
    return servletRequest();
  }

  RestTarget target() {
    return Objects.requireNonNull(target, "the request has no route");
  }

  /** The body of the response if the request fails. */
  Map<String, Object> failure(ErrorBody error, @Nullable String stackTrace) {
    return target == null
        ? ErrorBodies.response(error, stackTrace)
        : target.endpoint().failure(error, stackTrace);
  }

  /** The parameters of the query, followed by those of the path. */
  Map<String, String> parameters() {
    return parameters;
  }

  void parameters(Map<String, String> read) {
    parameters = read;
  }

  boolean stackTraceWanted() {
    return stackTraceWanted;
  }

  void wantStackTrace(boolean wanted) {
    stackTraceWanted = wanted;
  }

  /** An error is not filtered: the filter applies only to the requested response. */
  void form(boolean pretty, @Nullable FilterPath filter, BodyFormat format) {
    errors = new RestResponder(pretty, null, format);
    responder = new RestResponder(pretty, filter, format);
  }

  RestResponder errors() {
    return errors;
  }

  RestResponder responder() {
    return responder;
  }

  /** The response that the responder has collected. */
  RestResponse response() {
    return new RestResponse(responder);
  }

  RestRequest request() {
    return Objects.requireNonNull(request, "the body was not read yet");
  }

  void request(RestRequest read) {
    request = read;
  }

  RestAction action() {
    return Objects.requireNonNull(action, "the request was not prepared yet");
  }

  void action(RestAction prepared) {
    action = prepared;
  }
}
