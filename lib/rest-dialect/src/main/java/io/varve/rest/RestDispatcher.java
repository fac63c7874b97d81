package io.varve.rest;

import io.varve.events.MalformedRecordException;
import io.varve.events.SessionToken;
import io.varve.process.FatalErrors;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * The door of the REST dialect: finds the endpoint, lets it read the request, refuses what it left
 * unread, runs it, and gives every failure the same form.
 *
 * <p>A request passes in this order: path (400 no handler, 405), size (413), memory (429), media
 * type (406), parameters (400), action. An unforeseen failure is logged and answered with 500.
 */
public final class RestDispatcher {

  /** The attribute of a request that holds the template of its route, once that is found. */
  public static final String ROUTE = RestDispatcher.class.getName() + ".route";

  private static final Logger LOG = LoggerFactory.getLogger(RestDispatcher.class);

  private final RouteTable routes;
  private final long maxContentBytes;
  private final InFlightRequests inFlight;
  private final RequestRunner requests;

  public RestDispatcher(
      Collection<? extends RestEndpoint> endpoints,
      long maxContentBytes,
      InFlightRequests inFlight,
      RequestRunner requests) {
    this.inFlight = inFlight;
    this.requests = requests;
    this.routes = new RouteTable(endpoints);
    this.maxContentBytes = maxContentBytes;
  }

  public void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String opaqueId = request.getHeader(RestRequest.OPAQUE_ID);
    if (opaqueId != null) {
      response.setHeader(RestRequest.OPAQUE_ID, opaqueId);
    }
    boolean head = "HEAD".equalsIgnoreCase(request.getMethod());
    RestResponder answer = answer(request);
    if (answer.status() >= 400 && !RequestBody.readToEnd(request)) {
      answer.header("Connection", "close");
    }
    answer.send(response, head, acceptsGzip(request.getHeader("Accept-Encoding")));
  }

  private static boolean acceptsGzip(@Nullable String accepted) {
    if (accepted == null) {
      return false;
    }
    for (String coding : accepted.toLowerCase(Locale.ROOT).split(",", -1)) {
      String stripped = coding.strip().replace(" ", "");
      if (stripped.equals("gzip")
          || (stripped.startsWith("gzip;") && !stripped.matches("gzip;q=0(\\.0*)?"))) {
        return true;
      }
    }
    return false;
  }

  private RestResponder answer(HttpServletRequest request) throws IOException {
    RestResponder responder = new RestResponder(false, null, BodyFormat.JSON);
    boolean trace = false;
    try (InFlightRequests.Account held = inFlight.open()) {
      String query = request.getQueryString();
      Map<String, String> parameters = query == null ? new LinkedHashMap<>() : UriText.query(query);
      boolean pretty = isOn(parameters.get("pretty"));
      trace = isOn(parameters.get("error_trace"));
      BodyFormat format =
          BodyFormat.ofAnswer(
              parameters.get("format"), request.getHeader("Accept"), request.getContentType());
      responder = new RestResponder(pretty, null, format);
      // A response that fails is shown whole: the filter is for what was asked.
      RestResponder filtered =
          new RestResponder(pretty, FilterPath.parse(parameters.get("filter_path")), format);
      return run(request, parameters, filtered, held);
    } catch (ApiException e) {
      return failed(responder, e, e.error(), trace);
    } catch (JacksonException e) {
      return failed(responder, e, JsonErrors.of(e), trace);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(
          responder, e, ErrorBody.of(503, "node_closed_exception", "node is closing"), trace);
    } catch (StackOverflowError e) {
      // Its trace would be a thousand lines that repeat each other.
      LOG.warn("{} {} is nested too deeply", request.getMethod(), request.getRequestURI());
      return failed(
          responder, e, ErrorBody.illegalArgument("The request is nested too deeply"), false);
    } catch (Error e) {
      FatalErrors.endOn(e);
      throw e;
    } catch (RuntimeException e) {
      FatalErrors.endOn(e);
      LOG.error("{} {} failed", request.getMethod(), request.getRequestURI(), e);
      return failed(responder, e, unforeseen(e), trace);
    }
  }

  private static boolean isOn(@Nullable String flag) {
    return flag != null && !flag.equals("false");
  }

  private RestResponder run(
      HttpServletRequest http,
      Map<String, String> parameters,
      RestResponder responder,
      InFlightRequests.Account held)
      throws IOException, InterruptedException {
    String path = http.getRequestURI();
    RestMethod method = RestMethod.of(http.getMethod());
    if (method == null) {
      return withoutRoute(http, responder);
    }
    switch (routes.find(method, path)) {
      case RouteTable.Match.Found found -> {
        http.setAttribute(ROUTE, found.template());
        parameters.putAll(found.parameters());
        String kind = KindOfWork.of(method, found.template());
        if (method != RestMethod.DELETE && KindOfWork.needsMemory(kind)) {
          inFlight.checkHeap();
        }
        RequestBody body = RequestBody.read(http, maxContentBytes, held);
        RestRequest request = toRead(http, method, parameters, found.endpoint(), body, responder);
        if (request != null) {
          requests.count(kind, () -> run(http, found.endpoint(), request, responder));
        }
      }
      case RouteTable.Match.WrongMethod wrong -> refuse(http, wrong.allowed(), responder);
      case RouteTable.Match.NoHandler none -> noHandler(http, responder);
    }
    return responder;
  }

  private void run(
      HttpServletRequest http, RestEndpoint endpoint, RestRequest request, RestResponder responder)
      throws InterruptedException {
    RestEndpoint.RestAction action = endpoint.prepare(request);
    String complaint = request.complaint();
    if (complaint != null) {
      throw new ApiException(ErrorBody.illegalArgument(complaint));
    }
    TaskKind task = action.task();
    if (task == null) {
      action.run(responder);
    } else {
      requests.runTask(task, http, () -> action.run(responder));
    }
  }

  /** {@code null} when the body is of a kind that the endpoint doesn't read: that is answered. */
  private @Nullable RestRequest toRead(
      HttpServletRequest http,
      RestMethod method,
      Map<String, String> parameters,
      RestEndpoint endpoint,
      RequestBody body,
      RestResponder responder) {
    if (!body.isEmpty() && !body.isReadable(endpoint.readsLines())) {
      String header = http.getContentType();
      simpleError(
          responder,
          406,
          header == null
              ? "Content-Type header is missing"
              : "Content-Type header [" + header + "] is not supported");
      return null;
    }
    return new RestRequest(
        method,
        http.getRequestURI(),
        parameters,
        body.asJson(),
        http.getHeader("Accept"),
        session(http.getHeader(RestRequest.SESSION)));
  }

  private static SessionToken session(@Nullable String header) {
    try {
      return header == null ? SessionToken.NONE : SessionToken.parse(header.strip());
    } catch (MalformedRecordException e) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "the header [" + RestRequest.SESSION + "] is no token: " + e.getMessage()));
    }
  }

  private RestResponder withoutRoute(HttpServletRequest http, RestResponder responder) {
    Set<RestMethod> allowed = routes.methods(http.getRequestURI());
    if (http.getMethod().equalsIgnoreCase("OPTIONS")) {
      responder.status(200);
      responder.header("Allow", allowed.isEmpty() ? "GET" : join(allowed));
    } else if (allowed.isEmpty()) {
      noHandler(http, responder);
    } else {
      refuse(http, allowed, responder);
    }
    return responder;
  }

  private static void refuse(
      HttpServletRequest http, Set<RestMethod> allowed, RestResponder responder) {
    responder.header("Allow", join(allowed));
    simpleError(
        responder,
        405,
        "Incorrect HTTP method for uri ["
            + uri(http)
            + "] and method ["
            + http.getMethod()
            + "], allowed: "
            + allowed);
  }

  private static void noHandler(HttpServletRequest http, RestResponder responder) {
    responder.json(
        400,
        Map.of(
            "error",
            "no handler found for uri [" + uri(http) + "] and method [" + http.getMethod() + "]"));
  }

  private static String uri(HttpServletRequest http) {
    String query = http.getQueryString();
    return query == null ? http.getRequestURI() : http.getRequestURI() + "?" + query;
  }

  private static String join(Set<RestMethod> methods) {
    return methods.stream().map(Enum::name).collect(Collectors.joining(","));
  }

  private static void simpleError(RestResponder responder, int status, String error) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("error", error);
    body.put("status", status);
    responder.json(status, body);
  }

  private static RestResponder failed(
      RestResponder responder, Throwable failure, ErrorBody error, boolean trace) {
    StringWriter stack = new StringWriter();
    if (trace) {
      failure.printStackTrace(new PrintWriter(stack));
    }
    responder.json(error.status(), ErrorBodies.response(error, trace ? stack.toString() : null));
    return responder;
  }

  /**
   * The type as the dialect writes it: {@code IllegalStateException} is illegal_state_exception.
   */
  private static ErrorBody unforeseen(Throwable failure) {
    String type = failure.getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_");
    String message = failure.getMessage();
    return ErrorBody.of(
        500, type.toLowerCase(Locale.ROOT), message == null ? "no message" : message);
  }
}
