package io.varve.coordinator.rest;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request's body into one buffer, unpacked, and no more of it than is allowed.
 *
 * @param bytes empty when there is no body
 * @param mediaType without parameters, in lower case; {@code null} when the header is missing
 */
@SuppressWarnings("ArrayRecordComponent")
record RequestBody(byte[] bytes, @Nullable String mediaType) {

  private static final byte[] NONE = {};
  private static final Set<String> LINES =
      Set.of("application/x-ndjson", "application/vnd.opensearch+x-ndjson");
  private static final Set<String> JSON =
      Set.of("application/json", "application/vnd.opensearch+json");

  static RequestBody read(HttpServletRequest request, long maxBytes) throws IOException {
    String contentType = request.getContentType();
    long length = request.getContentLengthLong();
    if (length > maxBytes) {
      throw tooLong(length, maxBytes);
    }
    byte[] bytes = length == 0 ? NONE : read(request, length, maxBytes);
    return new RequestBody(bytes, contentType == null ? null : mediaType(contentType));
  }

  private static byte[] read(HttpServletRequest request, long length, long maxBytes)
      throws IOException {
    String encoding = request.getHeader("Content-Encoding");
    InputStream in = request.getInputStream();
    if (encoding == null || encoding.isEmpty() || encoding.equalsIgnoreCase("identity")) {
      return length > 0 ? exactly(in, (int) length) : upTo(in, maxBytes);
    }
    if (!encoding.equalsIgnoreCase("gzip")) {
      throw new ApiException(
          ErrorBody.illegalArgument("Content-Encoding header [" + encoding + "] is not supported"));
    }
    try (GZIPInputStream unpacked = new GZIPInputStream(in, 64 * 1024)) {
      return upTo(unpacked, maxBytes);
    } catch (ZipException | EOFException e) {
      throw new ApiException(ErrorBody.illegalArgument("the body is not gzip: " + e.getMessage()));
    }
  }

  private static byte[] exactly(InputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    return bytes.length == length ? bytes : Arrays.copyOf(bytes, bytes.length);
  }

  private static byte[] upTo(InputStream in, long maxBytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(16 * 1024);
    byte[] buffer = new byte[64 * 1024];
    int read = in.read(buffer);
    while (read >= 0) {
      out.write(buffer, 0, read);
      if (out.size() > maxBytes) {
        throw tooLong(out.size(), maxBytes);
      }
      read = in.read(buffer);
    }
    return out.toByteArray();
  }

  private static ApiException tooLong(long length, long maxBytes) {
    return new ApiException(
        413,
        "content_too_long_exception",
        "entity content is too long [" + length + "] for the configured limit [" + maxBytes + "]");
  }

  private static String mediaType(String contentType) {
    int end = contentType.indexOf(';');
    return (end < 0 ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  boolean isEmpty() {
    return bytes.length == 0;
  }

  boolean isReadable(boolean linesToo) {
    return mediaType != null
        && (JSON.contains(mediaType) || (linesToo && LINES.contains(mediaType)));
  }
}
