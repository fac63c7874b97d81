package io.varve.rpc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a copy must show before it answers a read; it travels as headers beside the request.
 *
 * @param seqNo everything up to here, -1 for no such demand
 * @param maxStalenessMillis everything that was in the log so long before the read arrived, 0 for
 *     all that was in it when the read arrived, -1 for no such demand
 * @param waitMillis for which the copy may wait until it does
 */
public record ReadDemand(long seqNo, long maxStalenessMillis, long waitMillis) {

  public static final String SEQ_NO = "Varve-Visible-Seq-No";
  public static final String MAX_STALENESS = "Varve-Max-Staleness";
  public static final String WAIT = "Varve-Wait";

  /** The error of a copy that did not show in time what it was to show. */
  public static final String TIMEOUT_TYPE = "visibility_timeout_exception";

  /** The error of a copy that answers no reads now, told at once: another may answer. */
  public static final String NOT_STARTED_TYPE = "index_shard_not_started_exception";

  /** Whatever the copy shows. */
  public static final ReadDemand NONE = new ReadDemand(-1, -1, 0);

  public ReadDemand {
    if (seqNo < -1 || maxStalenessMillis < -1 || waitMillis < 0) {
      throw new IllegalArgumentException(
          "a demand of seq_no " + seqNo + ", staleness " + maxStalenessMillis + ", " + waitMillis);
    }
  }

  public boolean isNone() {
    return seqNo < 0 && maxStalenessMillis < 0;
  }

  public ReadDemand waiting(long millis) {
    return new ReadDemand(seqNo, maxStalenessMillis, millis);
  }

  /** The same, and all that is in the log. */
  public ReadDemand ofAll() {
    return new ReadDemand(seqNo, 0, waitMillis);
  }

  public Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>();
    if (seqNo >= 0) {
      headers.put(SEQ_NO, Long.toString(seqNo));
    }
    if (maxStalenessMillis >= 0) {
      headers.put(MAX_STALENESS, Long.toString(maxStalenessMillis));
    }
    if (!headers.isEmpty()) {
      headers.put(WAIT, Long.toString(waitMillis));
    }
    return headers;
  }

  /**
   * @param header the value of a header by its name, or null
   */
  public static ReadDemand of(UnaryOperator<@Nullable String> header) {
    return new ReadDemand(
        number(header.apply(SEQ_NO), -1),
        number(header.apply(MAX_STALENESS), -1),
        number(header.apply(WAIT), 0));
  }

  private static long number(@Nullable String text, long whenMissing) {
    return text == null ? whenMissing : Long.parseLong(text);
  }
}
