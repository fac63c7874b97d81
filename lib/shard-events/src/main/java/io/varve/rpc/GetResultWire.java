package io.varve.rpc;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Wire format of a {@link GetResult}: one line of JSON without the source, a line feed, and the raw
 * bytes of the source, if any.
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
      Map<String, List<Object>> fields) {}

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
                result.fields()));
    int sourceLength = source == null ? 0 : source.length;
    byte[] body = Arrays.copyOf(head, head.length + 1 + sourceLength);
    body[head.length] = '\n';
    if (source != null) {
      System.arraycopy(source, 0, body, head.length + 1, sourceLength);
    }
    return body;
  }

  public static GetResult decode(byte[] body) {
    int end = 0;
    while (end < body.length && body[end] != '\n') {
      end++;
    }
    if (end == body.length) {
      throw new MalformedRecordException("the answer to a get has no end of its first line");
    }
    Head head = Json.read(Arrays.copyOf(body, end), Head.class);
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
}
