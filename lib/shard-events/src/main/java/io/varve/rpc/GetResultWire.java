package io.varve.rpc;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Wire format of a {@link GetResult}: one line of JSON without the source, a line feed, and the raw
 * bytes of the source, if any. If several results are sent, the line may contain an error instead.
 */
public final class GetResultWire {

  public static final String CONTENT_TYPE = "application/vnd.varve.get";

  private record Head(
      boolean found,
      String id,
      @Nullable String routing,
      long version,
      long seqNo,
      long primaryTerm,
      boolean hasSource,
      Map<String, List<Object>> fields,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ErrorBody error) {}

  private GetResultWire() {}

  public static byte[] encode(GetResult result) {
    byte[] source = result.source();
    byte[] head =
        Json.write(
            new Head(
                result.found(),
                result.id(),
                result.routing(),
                result.version(),
                result.seqNo(),
                result.primaryTerm(),
                source != null,
                result.fields(),
                null));
    int sourceLength = source == null ? 0 : source.length;
    byte[] body = Arrays.copyOf(head, head.length + 1 + sourceLength);
    body[head.length] = '\n';
    if (source != null) {
      System.arraycopy(source, 0, body, head.length + 1, sourceLength);
    }
    return body;
  }

  /** A document that could not be read. */
  static byte[] encode(ErrorBody error) {
    byte[] head = Json.write(new Head(false, "", null, -1, -2, 0, false, Map.of(), error));
    byte[] body = Arrays.copyOf(head, head.length + 1);
    body[head.length] = '\n';
    return body;
  }

  /** One of several answers, which may be an error. */
  static DocumentsWire.Result decodeResult(byte[] body) {
    int end = endOfHead(body);
    Head head = Json.read(Arrays.copyOf(body, end), Head.class);
    return head.error == null
        ? new DocumentsWire.Result.Read(result(head, body, end))
        : new DocumentsWire.Result.Failed(head.error);
  }

  public static GetResult decode(byte[] body) {
    int end = endOfHead(body);
    return result(Json.read(Arrays.copyOf(body, end), Head.class), body, end);
  }

  private static GetResult result(Head head, byte[] body, int end) {
    return new GetResult(
        head.found,
        head.id,
        head.routing,
        head.version,
        head.seqNo,
        head.primaryTerm,
        head.hasSource ? Arrays.copyOfRange(body, end + 1, body.length) : null,
        head.fields == null ? Map.of() : head.fields);
  }

  private static int endOfHead(byte[] body) {
    int end = 0;
    while (end < body.length && body[end] != '\n') {
      end++;
    }
    if (end == body.length) {
      throw new MalformedRecordException("the first line of the answer to a get has no end");
    }
    return end;
  }
}
