package io.varve.rpc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The visibility that a copy must reach before it answers a read, sent as request headers.
 *
 * @param seqNo every operation up to this one must be visible; -1 for no such requirement
 * @param maxStalenessMillis every operation must be visible that was in the log this long before
 *     the read arrived; 0 for all that were in the log when it arrived, -1 for no such requirement
 * @param waitMillis maximum time to wait for visibility
 */
public record ReadDemand(long seqNo, long maxStalenessMillis, long waitMillis) {

  public static final String SEQ_NO = "Varve-Visible-Seq-No";
  public static final String MAX_STALENESS = "Varve-Max-Staleness";
  public static final String WAIT = "Varve-Wait";

  /** Error type of a copy that did not reach the required visibility in time. */
  public static final String TIMEOUT_TYPE = "visibility_timeout_exception";

  /**
   * Error type of a copy that currently answers no reads; sent immediately, so that another copy
   * can be asked.
   */
  public static final String NOT_STARTED_TYPE = "index_shard_not_started_exception";

  /** No requirement. */
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

  /** Additionally requires everything in the log to be visible. */
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
   * @param header returns the value of a header by name, or null
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
