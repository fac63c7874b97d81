package io.varve.rest;

import io.varve.events.Json;
import io.varve.rpc.ApiException;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;
import tools.jackson.dataformat.cbor.CBORMapper;
import tools.jackson.dataformat.cbor.CBORWriteFeature;
import tools.jackson.dataformat.smile.SmileMapper;
import tools.jackson.dataformat.smile.SmileWriteFeature;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The formats of request and response bodies. Internally only JSON is used; the other formats are
 * converted token by token when a request is read and a response is written.
 */
public enum BodyFormat {
  JSON("application/json; charset=UTF-8", Json.mapper()),
  YAML("application/yaml", new YAMLMapper()),
  // JSON can contain half of a surrogate pair, as an escape. The other formats can't, and contain a
  // replacement character instead.
  CBOR(
      "application/cbor",
      CBORMapper.builder().enable(CBORWriteFeature.LENIENT_UTF_ENCODING).build()),
  SMILE(
      "application/smile",
      SmileMapper.builder().enable(SmileWriteFeature.LENIENT_UTF_ENCODING).build());

  private static final String VENDOR = "vnd.opensearch+";

  private final String contentType;

  @SuppressWarnings("ImmutableEnumChecker") // configured once, here
  private final ObjectMapper mapper;

  BodyFormat(String contentType, ObjectMapper mapper) {
    this.contentType = contentType;
    this.mapper = mapper;
  }

  /** The {@code Content-Type} of responses in this format. */
  String contentType() {
    return contentType;
  }

  /** The format with that name, ignoring case; {@code null} for an unknown name. */
  public static @Nullable BodyFormat named(@Nullable String name) {
    for (BodyFormat format : values()) {
      if (format.name().equalsIgnoreCase(name)) {
        return format;
      }
    }
    return null;
  }

  /**
   * The format of a media type, without its parameters; {@code null} for an unsupported type, such
   * as {@code text/plain} or {@code *}{@code /*}.
   */
  public static @Nullable BodyFormat ofMediaType(@Nullable String header) {
    if (header == null) {
      return null;
    }
    int end = header.indexOf(';');
    String type = (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    if (!type.startsWith("application/")) {
      return null;
    }
    String name = type.substring("application/".length());
    return named(name.startsWith(VENDOR) ? name.substring(VENDOR.length()) : name);
  }

  /**
   * The format of a response: that of the parameter {@code format}, else the accepted one, else the
   * format of the request.
   */
  public static BodyFormat ofAnswer(
      @Nullable String parameter, @Nullable String accepted, @Nullable String sent) {
    BodyFormat asked = asked(parameter, accepted);
    if (asked != null) {
      return asked;
    }
    BodyFormat own = ofMediaType(sent);
    return own == null ? JSON : own;
  }

  /** The requested format; {@code null} if the client leaves the choice to the server. */
  static @Nullable BodyFormat asked(@Nullable String parameter, @Nullable String accepted) {
    return parameter == null ? ofMediaType(accepted) : named(parameter);
  }

  /** Converts a body to JSON. Duplicate keys and content after the value are refused. */
  public byte[] toJson(byte[] body) {
    return toJson(body, new ChunkedBytes(InFlightRequests.unlimited(), body.length));
  }

  /**
   * The same as JSON. Duplicate keys and content after the value are rejected.
   *
   * @param json empty; collects the result
   */
  byte[] toJson(byte[] body, ChunkedBytes json) {
    if (this == JSON) {
      return body;
    }
    ObjectReader reader = mapper.reader().with(StreamReadFeature.STRICT_DUPLICATE_DETECTION);
    try (JsonParser in = reader.createParser(body)) {
      copy(in, Json.mapper(), json);
      if (in.nextToken() != null) {
        throw new ApiException(
            400, "x_content_parse_exception", "the body has more than one value");
      }
      return json.join();
    } catch (JacksonException e) {
      throw new ApiException(JsonErrors.of(e));
    }
  }

  /** Converts JSON written by this server to this format. */
  public byte[] ofJson(byte[] json) {
    if (this == JSON) {
      return json;
    }
    try (JsonParser in = Json.mapper().createParser(json)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
      copy(in, mapper, bytes);
      return bytes.toByteArray();
    }
  }

  private static void copy(JsonParser in, ObjectMapper to, OutputStream bytes) {
    try (JsonGenerator out = to.createGenerator(bytes)) {
      if (in.nextToken() != null) {
        out.copyCurrentStructure(in);
      }
    }
  }
}
