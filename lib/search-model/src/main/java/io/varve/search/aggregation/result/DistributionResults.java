package io.varve.search.aggregation.result;

import io.varve.search.aggregation.MetricAggregation.Digest;
import io.varve.search.aggregation.MetricAggregation.PercentileRanks;
import io.varve.search.aggregation.MetricAggregation.Percentiles;
import io.varve.search.aggregation.partial.DigestPartial;
import io.varve.search.aggregation.partial.WeightedPartial;
import io.varve.search.aggregation.sketch.ValueDigest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The final reduce of percentiles and other metrics of distributions. */
final class DistributionResults {

  private DistributionResults() {}

  static Result percentiles(Percentiles request, DigestPartial partial) {
    ValueDigest digest = partial.digest();
    Map<Double, @Nullable Double> all = new LinkedHashMap<>();
    request.percents().forEach(percent -> all.put(percent, orNull(digest.percentile(percent))));
    return MetricResults.percentiles(
        prefix(request.digest()) + "percentiles", all, request.keyed(), partial.format());
  }

  static Result ranks(PercentileRanks request, DigestPartial partial) {
    ValueDigest digest = partial.digest();
    Map<Double, @Nullable Double> all = new LinkedHashMap<>();
    request.values().forEach(value -> all.put(value, orNull(digest.rank(value))));
    return MetricResults.percentiles(
        prefix(request.digest()) + "percentile_ranks", all, request.keyed(), partial.format());
  }

  private static String prefix(Digest digest) {
    return digest instanceof Digest.Hdr ? "hdr_" : "tdigest_";
  }

  private static @Nullable Double orNull(double value) {
    return Double.isNaN(value) ? null : (Double) value;
  }

  static Result medianDeviation(DigestPartial partial) {
    double value =
        partial.digest() instanceof ValueDigest.Centroids centroids
            ? centroids.medianDeviation()
            : Double.NaN;
    return MetricResults.one("median_absolute_deviation", orNull(value), partial.format());
  }

  static Result weighted(WeightedPartial partial) {
    double value = partial.products().value() / partial.weights().value();
    return MetricResults.one("weighted_avg", orNull(value), partial.format());
  }
}
