package io.varve.rpc;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A document read by id from one copy.
 *
 * @param source the document as sent, {@code null} if there is none
 * @param fields the requested stored fields as they are in the index: text, numbers, and bytes as
 *     an object with the single key {@value #BYTES} in Base64
 */
@SuppressWarnings("ArrayRecordComponent")
public record GetResult(
    boolean found,
    String id,
    @Nullable String routing,
    long version,
    long seqNo,
    long primaryTerm,
    byte @Nullable [] source,
    Map<String, List<Object>> fields) {

  public static final String BYTES = "bytes";

  /** A result without stored fields. */
  public GetResult(
      boolean found,
      String id,
      @Nullable String routing,
      long version,
      long seqNo,
      long primaryTerm,
      byte @Nullable [] source) {
    this(found, id, routing, version, seqNo, primaryTerm, source, Map.of());
  }

  public static GetResult missing(String id) {
    return new GetResult(false, id, null, -1, -2, 0, null);
  }
}
