package io.varve.rest;

import io.varve.events.Json;
import io.varve.events.SessionToken;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.text.TimeValues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectReader;

/**
 * A request as endpoints read it. Records which parameters were read; unread parameters are refused
 * before the action runs.
 */
public final class RestRequest {

  /** The parameters common to all endpoints. */
  public static final Map<String, ParameterKind> COMMON =
      Map.of(
          "pretty", ParameterKind.FLAG,
          "human", ParameterKind.FLAG,
          "error_trace", ParameterKind.FLAG,
          "filter_path", ParameterKind.LIST);

  /** The header with the writes of the client's session, see {@link SessionToken}. */
  public static final String SESSION = "Varve-Session";

  /** The header by which a client identifies its requests in responses and task lists. */
  public static final String OPAQUE_ID = "X-Opaque-Id";

  private static final ObjectReader STRICT_MAP =
      Json.mapper()
          .readerFor(new TypeReference<Map<String, Object>>() {})
          .with(StreamReadFeature.STRICT_DUPLICATE_DETECTION);

  private final RestMethod method;
  private final String path;
  private final Map<String, String> parameters;
  private final Map<String, ParameterKind> read = new HashMap<>(COMMON);
  private final RequestBody body;
  private final @Nullable String accepted;
  private final SessionToken session;
  private boolean bodyRead;

  /**
   * @param parameters those of the path, followed by those of the query
   */
  public RestRequest(RestMethod method, String path, Map<String, String> parameters, byte[] body) {
    this(
        method,
        path,
        parameters,
        new RequestBody(body, "application/json"),
        null,
        SessionToken.NONE);
  }

  public RestRequest(
      RestMethod method,
      String path,
      Map<String, String> parameters,
      RequestBody body,
      @Nullable String accepted,
      SessionToken session) {
    this.session = session;
    this.accepted = accepted;
    this.method = method;
    this.path = path;
    this.parameters = parameters;
    this.body = body;
  }

  public RestMethod method() {
    return method;
  }

  /** The raw path of the URI, without the query. */
  public String path() {
    return path;
  }

  /** The token of the client's session; empty if it sent none. */
  public SessionToken session() {
    return session;
  }

  public @Nullable String param(String name) {
    return read(name, ParameterKind.TEXT);
  }

  private @Nullable String read(String name, ParameterKind kind) {
    read.merge(name, kind, (former, now) -> former == ParameterKind.TEXT ? now : former);
    return parameters.get(name);
  }

  public String param(String name, String whenMissing) {
    String value = param(name);
    return value == null ? whenMissing : value;
  }

  /** A parameter of the path that the route always has. */
  public String required(String name) {
    String value = param(name);
    if (value == null || value.isEmpty()) {
      throw new ApiException(ErrorBody.illegalArgument("[" + name + "] is missing"));
    }
    return value;
  }

  public boolean has(String name) {
    return param(name) != null;
  }

  /** A parameter without a value counts as true. */
  public boolean flag(String name, boolean whenMissing) {
    String value = read(name, ParameterKind.FLAG);
    return switch (value) {
      case null -> whenMissing;
      case "", "true" -> true;
      case "false" -> false;
      default ->
          throw new ApiException(
              ErrorBody.illegalArgument(
                  "Failed to parse value [" + value + "] as only [true] or [false] are allowed."));
    };
  }

  public int integer(String name, int whenMissing) {
    String value = read(name, ParameterKind.INTEGER);
    return value == null ? whenMissing : (int) number(name, value, "int", Integer.MAX_VALUE);
  }

  public long longNumber(String name, long whenMissing) {
    String value = read(name, ParameterKind.LONG);
    return value == null ? whenMissing : number(name, value, "long", Long.MAX_VALUE);
  }

  private static long number(String name, String value, String type, long max) {
    try {
      long number = Long.parseLong(value);
      if (number > max || number < -max - 1) {
        throw new NumberFormatException("out of range");
      }
      return number;
    } catch (NumberFormatException e) {
      throw new ApiException(
          ErrorBody.illegalArgument(
                  "Failed to parse "
                      + type
                      + " parameter ["
                      + name
                      + "] with value ["
                      + value
                      + "]")
              .causedBy(
                  ErrorBody.of(
                      400, "number_format_exception", "For input string: \"" + value + "\"")));
    }
  }

  public Duration time(String name, Duration whenMissing) {
    String value = read(name, ParameterKind.TIME);
    return value == null ? whenMissing : Duration.ofMillis(TimeValues.parseMillis(name, value));
  }

  /** Empty if the parameter is missing. */
  public List<String> list(String name) {
    String value = read(name, ParameterKind.LIST);
    return value == null || value.isEmpty()
        ? List.of()
        : Arrays.stream(value.split(",", -1)).filter(part -> !part.isEmpty()).toList();
  }

  /** The timeout of a cluster state change, under its current or its deprecated name. */
  public Duration clusterManagerTimeout() {
    if (has("master_timeout") && has("cluster_manager_timeout")) {
      throw new ApiException(
          400,
          "parse_exception",
          "Please only use one of the request parameters [master_timeout,"
              + " cluster_manager_timeout].");
    }
    Duration old = time("master_timeout", Duration.ofSeconds(30));
    return time("cluster_manager_timeout", old);
  }

  /** The timeout of the wait until all coordinators have applied a cluster state change. */
  public Duration ackTimeout() {
    return time("timeout", Duration.ofSeconds(30));
  }

  /** The named parameters that are present, for a parser in another module. */
  public Map<String, String> readAll(Set<String> names) {
    names.forEach(name -> read(name, ParameterKind.TEXT));
    Map<String, String> taken = new LinkedHashMap<>(parameters);
    taken.keySet().retainAll(names);
    return taken;
  }

  /** Marks everything as read, for a request whose response does not depend on its parameters. */
  public void readEverything() {
    parameters.keySet().forEach(name -> read(name, ParameterKind.TEXT));
    bodyRead = true;
  }

  /** The parameters read so far. */
  public Map<String, ParameterKind> parametersRead() {
    return new TreeMap<>(read);
  }

  /** Whether the endpoint has read the body. */
  public boolean isBodyRead() {
    return bodyRead;
  }

  /** The body, or the parameter {@code source} in its place; empty if there is none. */
  public byte[] body() {
    bodyRead = true;
    if (!body.isEmpty()) {
      return body.bytes();
    }
    String source = param("source");
    if (source == null) {
      return body.bytes();
    }
    String type = param("source_content_type");
    if (type == null) {
      throw new ApiException(
          ErrorBody.illegalArgument("source and source_content_type parameters are required"));
    }
    RequestBody text = new RequestBody(source.getBytes(StandardCharsets.UTF_8), type);
    if (!text.isReadable(type.contains("ndjson"))) {
      throw new ApiException(
          ErrorBody.illegalArgument("Unknown value for source_content_type [" + type + "]"));
    }
    return text.asJson(InFlightRequests.unlimited()).bytes();
  }

  public boolean hasBody() {
    return body().length > 0;
  }

  public byte[] requiredBody() {
    byte[] bytes = body();
    if (bytes.length == 0) {
      throw new ApiException(400, "parse_exception", "request body is required");
    }
    return bytes;
  }

  /** The body as an object; empty if there is no body. Duplicate keys are refused. */
  public Map<String, Object> bodyAsMap() {
    byte[] bytes = body();
    if (bytes.length == 0) {
      return Map.of();
    }
    try {
      Map<String, Object> map = STRICT_MAP.readValue(bytes);
      return map == null ? Map.of() : map;
    } catch (JacksonException e) {
      throw new ApiException(JsonErrors.of(e));
    }
  }

  /**
   * The response format that the client requests with the parameter {@code format} or the {@code
   * Accept} header; {@code null} if it leaves the choice to the server.
   */
  public @Nullable BodyFormat askedFormat() {
    return BodyFormat.asked(param("format"), accepted);
  }

  /**
   * Only the {@code _cat} endpoints read {@code format} themselves; for others it is a common
   * parameter.
   */
  private boolean isFormat(String name) {
    return name.equals("format") && BodyFormat.named(parameters.get(name)) != null;
  }

  /** The error for unread parameters; {@code null} if all were read. */
  public @Nullable String complaint() {
    List<String> unread = new ArrayList<>();
    for (String name : parameters.keySet()) {
      if (!read.containsKey(name) && !isFormat(name)) {
        unread.add(name);
      }
    }
    if (!unread.isEmpty()) {
      return unrecognized(unread);
    }
    if (!bodyRead && !body.isEmpty()) {
      return "request [" + method + " " + path + "] does not support having a body";
    }
    return null;
  }

  private String unrecognized(List<String> unread) {
    Set<String> known = parametersRead().keySet();
    List<String> parts =
        unread.stream()
            .sorted()
            .map(name -> "[" + name + "]" + DidYouMean.hint(name, known))
            .toList();
    return "request ["
        + path
        + "] contains unrecognized parameter"
        + (parts.size() > 1 ? "s" : "")
        + ": "
        + String.join(", ", parts);
  }
}
