package io.varve.rpc;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A failure in the form of the REST dialect: {@code type}, {@code reason}, status, additional
 * fields (index, shard, line …) and a cause. A reason may quote part of the request; only both ends
 * of a long reason are kept.
 */
public record ErrorBody(
    int status,
    String type,
    String reason,
    Map<String, Object> fields,
    @Nullable ErrorBody causedBy) {

  /** Characters kept at each end of a long reason. */
  private static final int EXCERPT_CHARACTERS = 1_000;

  private static final String NO_ENDPOINT_TYPE = "resource_not_found_exception";

  public ErrorBody {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(reason, "reason");
    reason = excerpt(reason);
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("an error's status is 400 to 599, was " + status);
    }
    // Keeps insertion order, in which the fields are rendered.
    fields = fields == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  private static String excerpt(String reason) {
    int length = reason.length();
    if (length <= 2 * EXCERPT_CHARACTERS) {
      return reason;
    }
    int head = betweenCharacters(reason, EXCERPT_CHARACTERS);
    int tail = betweenCharacters(reason, length - EXCERPT_CHARACTERS);
    return reason.substring(0, head)
        + "… ["
        + (tail - head)
        + " characters left out] …"
        + reason.substring(tail);
  }

  private static int betweenCharacters(String text, int at) {
    return Character.isLowSurrogate(text.charAt(at)) ? at - 1 : at;
  }

  public static ErrorBody of(int status, String type, String reason) {
    return new ErrorBody(status, type, reason, Map.of(), null);
  }

  /**
   * A process has no such endpoint, for example because its release is older than the caller's.
   *
   * @param line method and path of the request
   */
  public static ErrorBody noEndpoint(String line) {
    return of(404, NO_ENDPOINT_TYPE, "no endpoint at [" + line + "]");
  }

  /**
   * Whether this is the 404 of a process without the endpoint, and not of a missing index. The name
   * does not begin with {@code is}, because the JSON of a body has each such method as a field.
   */
  public boolean endpointIsMissing() {
    return status == 404 && type.equals(NO_ENDPOINT_TYPE);
  }

  public static ErrorBody illegalArgument(String reason) {
    return of(400, "illegal_argument_exception", reason);
  }

  public ErrorBody with(String field, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(fields);
    more.put(field, value);
    return new ErrorBody(status, type, reason, more, causedBy);
  }

  public ErrorBody causedBy(ErrorBody cause) {
    return new ErrorBody(status, type, reason, fields, cause);
  }

  /** The value of {@code error}, without {@code root_cause}. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("type", type);
    map.put("reason", reason);
    map.putAll(fields);
    if (causedBy != null) {
      map.put("caused_by", causedBy.toMap());
    }
    return map;
  }
}
