package io.varve.rest;

import io.varve.events.Json;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;

/**
 * Collects one response and keeps it until {@link #send}: nothing is sent to the client before the
 * response is complete, so a failure halfway still becomes an error response.
 */
public final class RestResponder {

  private static final String JSON = BodyFormat.JSON.contentType();
  private static final String TEXT = "text/plain; charset=UTF-8";
  private static final int WORTH_PACKING_BYTES = 860;
  private static final ObjectReader TREE =
      Json.mapper()
          .readerFor(Object.class)
          .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .with(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS);
  private static final ObjectWriter PLAIN = Json.mapper().writer();
  private static final ObjectWriter PRETTY = PLAIN.with(prettyPrinter());

  private final BodyFormat format;
  private final boolean pretty;
  private final @Nullable FilterPath filter;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private final Set<String> warnings = new LinkedHashSet<>();
  private int status = 200;
  private String contentType = JSON;
  private byte[] body = {};

  public RestResponder(boolean pretty, @Nullable FilterPath filter, BodyFormat format) {
    this.format = format;
    this.pretty = pretty;
    this.filter = filter;
  }

  /** Writes the JSON of a response, once. */
  @FunctionalInterface
  public interface JsonBody {
    void write(JsonGenerator out);
  }

  public void header(String name, String value) {
    headers.put(name, value);
  }

  /** The headers that were set. */
  public Map<String, String> headers() {
    return Collections.unmodifiableMap(headers);
  }

  /** Adds a warning about the request for its sender. */
  public void warning(String text) {
    warnings.add(
        "299 OpenSearch-"
            + Build.DIALECT
            + "-unknown \""
            + text.replace("\\", "\\\\").replace("\"", "\\\"")
            + "\"");
  }

  /** Streams the response, for large ones. */
  public void json(int newStatus, JsonBody response) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (JsonGenerator out = Json.mapper().createGenerator(bytes)) {
      response.write(out);
    }
    json(newStatus, bytes.toByteArray());
  }

  /** A response that is already JSON. */
  public void json(int newStatus, byte[] json) {
    status = newStatus;
    contentType = JSON;
    body = filter == null && !pretty ? json : shaped(TREE.readValue(json));
  }

  public void json(int newStatus, Object response) {
    json(newStatus, PLAIN.writeValueAsBytes(response));
  }

  private byte[] shaped(Object tree) {
    Object shown = filter == null ? tree : filter.apply(tree);
    if (!pretty) {
      return PLAIN.writeValueAsBytes(shown);
    }
    return (PRETTY.writeValueAsString(shown) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  public void text(int newStatus, String text) {
    status = newStatus;
    contentType = TEXT;
    body = text.getBytes(StandardCharsets.UTF_8);
  }

  /** A response that consists only of its status. */
  public void status(int newStatus) {
    status = newStatus;
    contentType = TEXT;
    body = new byte[0];
  }

  public int status() {
    return status;
  }

  public byte[] bytes() {
    return body;
  }

  /** Writes the response; {@code head} omits the body, {@code packed} compresses it. */
  public void send(HttpServletResponse response, boolean head, boolean packed) throws IOException {
    response.setStatus(status);
    warnings.forEach(warning -> response.addHeader("Warning", warning));
    headers.forEach(response::setHeader);
    boolean translated = format != BodyFormat.JSON && contentType.equals(JSON) && body.length > 0;
    response.setContentType(translated ? format.contentType() : contentType);
    byte[] sent = translated ? format.ofJson(body) : body;
    if (packed && sent.length >= WORTH_PACKING_BYTES) {
      sent = pack(sent);
      response.setHeader("Content-Encoding", "gzip");
    }
    response.setContentLength(sent.length);
    if (!head) {
      response.getOutputStream().write(sent);
    }
  }

  private static byte[] pack(byte[] bytes) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream(bytes.length / 4 + 64);
    try (GZIPOutputStream out = new GZIPOutputStream(packed, 8192)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  private static DefaultPrettyPrinter prettyPrinter() {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    return new DefaultPrettyPrinter(
            Separators.createDefaultInstance()
                .withObjectNameValueSpacing(Separators.Spacing.BOTH)
                .withArrayEmptySeparator(" ")
                .withObjectEmptySeparator(" "))
        .withObjectIndenter(indenter)
        .withArrayIndenter(indenter);
  }
}
