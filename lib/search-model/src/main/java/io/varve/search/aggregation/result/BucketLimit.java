package io.varve.search.aggregation.result;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the buckets of one response and refuses the response if there are more than {@code
 * search.max_buckets}.
 */
public final class BucketLimit {

  /** Default of {@code search.max_buckets}. */
  public static final int DEFAULT = 65_535;

  private final int most;
  private int count;

  public BucketLimit(int most) {
    this.most = most;
  }

  public void add(int buckets) {
    count += buckets;
    if (count > most || count < 0) {
      throw new ApiException(failed(tooMany(most, most + 1L)));
    }
  }

  /** Refuses a request that asks for more buckets than the limit, before it is executed. */
  void check(int wanted) {
    if (wanted > most) {
      throw new ApiException(failed(tooMany(most, wanted)));
    }
  }

  private static ErrorBody tooMany(int most, long was) {
    return ErrorBody.of(
            503,
            "too_many_buckets_exception",
            "Trying to create too many buckets. Must be less than or equal to: ["
                + most
                + "] but was ["
                + was
                + "]. This limit can be set by changing the [search.max_buckets] cluster level"
                + " setting.")
        .with("max_buckets", most);
  }

  private static ErrorBody failed(ErrorBody cause) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("phase", "fetch");
    fields.put("grouped", true);
    fields.put("failed_shards", List.of());
    fields.put("root_cause", List.of());
    return new ErrorBody(cause.status(), "search_phase_execution_exception", "", fields, cause);
  }
}
