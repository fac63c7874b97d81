package io.varve.search.aggregation.pipeline;

import io.varve.rpc.ApiException;
import io.varve.search.aggregation.PipelineAggregation.GapPolicy;
import io.varve.search.aggregation.result.Result;
import io.varve.search.aggregation.result.Result.Bucket;
import io.varve.search.aggregation.result.Results;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the path of a value in a bucket: {@code _count}, {@code a}, {@code a.avg}, {@code
 * a>b[95.0]}, {@code filters['name']>b}.
 */
final class BucketPath {

  private BucketPath() {}

  /** The value, or NaN when the bucket has none and the gap policy skips it. */
  static double value(Bucket bucket, String path, GapPolicy gaps) {
    double value = plain(bucket, path);
    boolean gap = !Double.isFinite(value) || (bucket.docCount() == 0 && !path.equals("_count"));
    if (!gap) {
      return value;
    }
    return gaps == GapPolicy.INSERT_ZEROS ? 0 : Double.NaN;
  }

  /** The value regardless of the gap policy, also for an empty bucket. */
  static double plain(Bucket bucket, String path) {
    if (path.equals("_count")) {
      return bucket.docCount();
    }
    if (path.equals("_key")) {
      return bucket.key() instanceof Number number ? number.doubleValue() : Double.NaN;
    }
    return value(bucket.aggregations(), path);
  }

  private static double value(Results results, String path) {
    int inner = path.indexOf('>');
    String step = inner < 0 ? path : path.substring(0, inner);
    String rest = inner < 0 ? "" : path.substring(inner + 1);
    String name = step;
    String metricName = "";
    Result result = results.get(name);
    if (result == null && step.endsWith("]") && step.indexOf('[') > 0) {
      name = step.substring(0, step.indexOf('['));
      metricName = unquoted(step.substring(step.indexOf('[') + 1, step.length() - 1));
      result = results.get(name);
    }
    for (int dot = step.indexOf('.');
        result == null && dot >= 0;
        dot = step.indexOf('.', dot + 1)) {
      name = step.substring(0, dot);
      metricName = step.substring(dot + 1);
      result = results.get(name);
    }
    return switch (result) {
      case null -> Double.NaN;
      case Result.Metrics metrics -> metric(metrics, name, metricName);
      case Result.Single single ->
          rest.isEmpty() || rest.equals("_count")
              ? single.docCount()
              : value(single.aggregations(), rest);
      case Result.Buckets buckets -> named(buckets, name, metricName, rest);
      case Result.Hits hits -> throw refused(hits.typeName(), name);
    };
  }

  private static String unquoted(String text) {
    boolean quoted = text.length() >= 2 && text.startsWith("'") && text.endsWith("'");
    return quoted ? text.substring(1, text.length() - 1) : text;
  }

  private static double named(Result.Buckets buckets, String name, String key, String rest) {
    if (key.equals("_bucket_count") || rest.equals("_bucket_count")) {
      return buckets.buckets().size();
    }
    for (Bucket bucket : buckets.buckets()) {
      if (!key.isEmpty() && bucket.name().equals(key)) {
        return rest.isEmpty() ? bucket.docCount() : plain(bucket, rest);
      }
    }
    if (!key.isEmpty()) {
      return Double.NaN;
    }
    throw rest.isEmpty() ? refused(javaName(buckets.typeName()), name) : refused("Object[]", name);
  }

  /** The class name that OpenSearch's error texts give to a result. */
  private static String javaName(String typeName) {
    return switch (typeName) {
      case "lterms" -> "LongTerms";
      case "dterms" -> "DoubleTerms";
      case "sterms" -> "StringTerms";
      case "ulterms" -> "UnsignedLongTerms";
      case "umterms" -> "UnmappedTerms";
      default -> typeName;
    };
  }

  private static ApiException refused(String what, String name) {
    return execution(
        "buckets_path must reference either a number value or a single value numeric metric"
            + " aggregation, got: ["
            + what
            + "] at aggregation ["
            + name
            + "]");
  }

  private static double metric(Result.Metrics metrics, String name, String metricName) {
    String wanted = metricName.isEmpty() ? "value" : metricName;
    Double value = metrics.values().get(wanted);
    if (value != null) {
      return value;
    }
    boolean several = metrics.values().size() > 1 && !metrics.values().containsKey("value");
    if (metricName.isEmpty() && several) {
      throw execution(
          "buckets_path must reference either a number value or a single value numeric metric"
              + " aggregation, but ["
              + name
              + "] contains multiple values. Please specify which to use.");
    }
    return Double.NaN;
  }

  static ApiException execution(String reason) {
    return new ApiException(400, "aggregation_execution_exception", reason);
  }

  static @Nullable Double orNull(double value) {
    return Double.isFinite(value) ? (Double) value : null;
  }
}
