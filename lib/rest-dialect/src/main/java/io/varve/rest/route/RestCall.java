package io.varve.rest.route;

import io.varve.rest.BodyFormat;
import io.varve.rest.FilterPath;
import io.varve.rest.RestEndpoint.RestAction;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * The state of one request while it passes the filters of {@link RestFilters}; each filter adds
 * values for those after it. Stored as an attribute of the request; for the request's thread only.
 *
 * <p>Until the form of the response is known, responses are plain JSON.
 */
final class RestCall {

  private static final String ATTRIBUTE = RestCall.class.getName();

  private final HttpServletRequest http;
  private final @Nullable RestTarget target;
  private Map<String, String> parameters = new LinkedHashMap<>();
  private RestResponder errors = new RestResponder(false, null, BodyFormat.JSON);
  private RestResponder responder = errors;
  private boolean stackTraceWanted;
  private @Nullable RestRequest request;
  private @Nullable RestAction action;

  private RestCall(HttpServletRequest http, @Nullable RestTarget target) {
    this.http = http;
    this.target = target;
  }

  /**
   * @param target {@code null} for a request without a route
   */
  static void begin(HttpServletRequest http, @Nullable RestTarget target) {
    http.setAttribute(ATTRIBUTE, new RestCall(http, target));
  }

  static RestCall of(ServerRequest request) {
    return (RestCall)
        Objects.requireNonNull(request.servletRequest().getAttribute(ATTRIBUTE), "no call");
  }

  HttpServletRequest http() {
    return http;
  }

  RestTarget target() {
    return Objects.requireNonNull(target, "the request has no route");
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
