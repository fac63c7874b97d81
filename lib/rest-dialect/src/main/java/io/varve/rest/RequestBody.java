package io.varve.rest;

import io.varve.http.SlowClientException;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A request's body in one buffer, decompressed, up to the allowed length.
 *
 * @param bytes empty when there is no body
 * @param contentType the header as received; {@code null} if it is missing
 */
@SuppressWarnings("ArrayRecordComponent")
public record RequestBody(byte[] bytes, @Nullable String contentType) {

  private static final byte[] NONE = {};
  private static final int WORTH_PASSING_BYTES = 1 << 20;
  private static final int FIRST_BYTES = 64 << 10;

  /** Each buffer is four times as large as the one before. */
  private static final int GROWTH_SHIFT = 2;

  /** A byte of a charset becomes a character of two bytes and up to three bytes in UTF-8. */
  private static final int CONVERSION_FACTOR = 5;

  private static final Set<String> LINES =
      Set.of("application/x-ndjson", "application/vnd.opensearch+x-ndjson");
  private static final Pattern CHARSET =
      Pattern.compile("(?i);\\s*charset\\s*=\\s*\"?([^\";\\s]+)");

  /** Reads the body; {@code held} is charged for bytes before they are read. */
  public static RequestBody read(
      HttpServletRequest request, long maxBytes, InFlightRequests.Account held) throws IOException {
    long length = request.getContentLengthLong();
    if (length > maxBytes) {
      throw tooLong(length, maxBytes);
    }
    try {
      byte[] bytes = hasNone(request, length) ? NONE : read(request, length, maxBytes, held);
      return new RequestBody(bytes, request.getContentType());
    } catch (IOException e) {
      String slow = SlowClientException.reason(e).orElseThrow(() -> e);
      throw new ApiException(408, "timeout_exception", slow);
    }
  }

  /** In HTTP/1, a body without a length is sent in chunks. */
  private static boolean hasNone(HttpServletRequest request, long length) {
    return length == 0
        || (length < 0
            && request.getProtocol().startsWith("HTTP/1")
            && request.getHeader("Transfer-Encoding") == null);
  }

  private static byte[] read(
      HttpServletRequest request, long length, long maxBytes, InFlightRequests.Account held)
      throws IOException {
    String encoding = request.getHeader("Content-Encoding");
    InputStream in = request.getInputStream();
    if (encoding == null || encoding.isEmpty() || encoding.equalsIgnoreCase("identity")) {
      return length > 0 ? exactly(in, (int) length, held) : upTo(in, maxBytes, held);
    }
    if (!encoding.equalsIgnoreCase("gzip")) {
      throw new ApiException(
          ErrorBody.illegalArgument("Content-Encoding header [" + encoding + "] is not supported"));
    }
    try (GZIPInputStream unpacked = new GZIPInputStream(in, 64 * 1024)) {
      return upTo(unpacked, maxBytes, held);
    } catch (ZipException | EOFException e) {
      throw new ApiException(ErrorBody.illegalArgument("the body is not gzip: " + e.getMessage()));
    }
  }

  /**
   * Immediately refuses a body that does not fit completely, but charges bytes only as they arrive:
   * a client that announces a length and sends nothing must not reserve memory.
   */
  private static byte[] exactly(InputStream in, int length, InFlightRequests.Account held)
      throws IOException {
    held.requireRoom(length);
    int shift = 0;
    while (length >> shift > FIRST_BYTES) {
      shift += GROWTH_SHIFT;
    }
    byte[] bytes = NONE;
    for (; shift >= 0; shift -= GROWTH_SHIFT) {
      int read = bytes.length;
      int size = length >> shift;
      held.hold(size, read);
      bytes = Arrays.copyOf(bytes, size);
      held.hold(size, 0);
      if (in.readNBytes(bytes, read, size - read) < size - read) {
        throw new ApiException(400, "parse_exception", "the body ended early");
      }
    }
    return bytes;
  }

  private static byte[] upTo(InputStream in, long maxBytes, InFlightRequests.Account held)
      throws IOException {
    ChunkedBytes read = ChunkedBytes.of(in, maxBytes + 1, held);
    if (read.size() > maxBytes) {
      throw tooLong(read.size(), maxBytes);
    }
    return read.join();
  }

  /**
   * Skips the part of the body that was not read before a refusal, so that the next request of the
   * connection can be read. Returns false if that part is too long or arrives too slowly; the
   * connection must then be closed.
   */
  public static boolean readToEnd(HttpServletRequest request) throws IOException {
    InputStream in = request.getInputStream();
    byte[] buffer = new byte[64 * 1024];
    int left = WORTH_PASSING_BYTES;
    try {
      int read = in.read(buffer);
      while (read >= 0 && left > 0) {
        left -= read;
        read = in.read(buffer);
      }
      return read < 0;
    } catch (IOException e) {
      if (SlowClientException.reason(e).isPresent()) {
        return false;
      }
      throw e;
    }
  }

  private static ApiException tooLong(long length, long maxBytes) {
    return new ApiException(
        413,
        "content_too_long_exception",
        "entity content is too long [" + length + "] for the configured limit [" + maxBytes + "]");
  }

  public boolean isEmpty() {
    return bytes.length == 0;
  }

  /** Whether both the format and the charset are supported. */
  public boolean isReadable(boolean linesWanted) {
    BodyFormat format = BodyFormat.ofMediaType(contentType);
    boolean known = linesWanted ? format == BodyFormat.JSON || isLines() : format != null;
    return known && charset() != null;
  }

  private boolean isLines() {
    return contentType != null
        && LINES.contains(contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT));
  }

  /** {@code null} for an unsupported charset. */
  private @Nullable Charset charset() {
    Matcher named = CHARSET.matcher(contentType == null ? "" : contentType);
    try {
      return named.find() ? Charset.forName(named.group(1)) : StandardCharsets.UTF_8;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * As JSON in UTF-8, or lines of it.
   *
   * @param held counts the converted body instead of this one after the conversion
   */
  public RequestBody asJson(InFlightRequests.Account held) {
    BodyFormat format = BodyFormat.ofMediaType(contentType);
    boolean binary = format == BodyFormat.CBOR || format == BodyFormat.SMILE;
    byte[] text = binary ? bytes : inUtf8(held);
    byte[] json = format == null ? text : format.toJson(text, new ChunkedBytes(held, text.length));
    return new RequestBody(json, contentType);
  }

  private byte[] inUtf8(InFlightRequests.Account held) {
    Charset charset = charset();
    if (charset == null || charset.equals(StandardCharsets.UTF_8)) {
      return bytes;
    }
    held.hold(bytes.length, (long) bytes.length * CONVERSION_FACTOR);
    byte[] text = new String(bytes, charset).getBytes(StandardCharsets.UTF_8);
    held.hold(text.length, 0);
    return text;
  }
}
