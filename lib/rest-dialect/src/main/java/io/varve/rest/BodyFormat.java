package io.varve.rest;

import io.varve.events.Json;
import io.varve.rpc.ApiException;
import java.io.ByteArrayOutputStream;
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
 * The forms that a body can have. Inside there is JSON alone: another form is translated at the
 * door, token by token, on the way in and on the way out.
 */
public enum BodyFormat {
  JSON("application/json; charset=UTF-8", Json.mapper()),
  YAML("application/yaml", new YAMLMapper()),
  // JSON can hold half of a character, as an escape; these forms can't, and show a stand-in.
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

  /** What an answer of this form says of itself. */
  String contentType() {
    return contentType;
  }

  /** The form of that name, in any case; {@code null} for another name. */
  public static @Nullable BodyFormat named(@Nullable String name) {
    for (BodyFormat format : values()) {
      if (format.name().equalsIgnoreCase(name)) {
        return format;
      }
    }
    return null;
  }

  /**
   * The form of a media type, its parameters left out; {@code null} for a type that is none of
   * ours, such as {@code text/plain} or {@code *}{@code /*}.
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
   * The form of an answer: what the parameter {@code format} names, else what is accepted, else
   * what the request itself was written in.
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

  /** The form that is asked for; {@code null} when the choice is left to us. */
  static @Nullable BodyFormat asked(@Nullable String parameter, @Nullable String accepted) {
    return parameter == null ? ofMediaType(accepted) : named(parameter);
  }

  /** The same as JSON. Duplicate keys and what follows behind the value are refused. */
  public byte[] toJson(byte[] body) {
    if (this == JSON) {
      return body;
    }
    ObjectReader reader = mapper.reader().with(StreamReadFeature.STRICT_DUPLICATE_DETECTION);
    try (JsonParser in = reader.createParser(body)) {
      byte[] json = copy(in, Json.mapper());
      if (in.nextToken() != null) {
        throw new ApiException(
            400, "x_content_parse_exception", "the body has more than one value");
      }
      return json;
    } catch (JacksonException e) {
      throw new ApiException(JsonErrors.of(e));
    }
  }

  /** Our own JSON in this form. */
  public byte[] ofJson(byte[] json) {
    if (this == JSON) {
      return json;
    }
    try (JsonParser in = Json.mapper().createParser(json)) {
      return copy(in, mapper);
    }
  }

  private static byte[] copy(JsonParser in, ObjectMapper to) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (JsonGenerator out = to.createGenerator(bytes)) {
      if (in.nextToken() != null) {
        out.copyCurrentStructure(in);
      }
    }
    return bytes.toByteArray();
  }
}
