package io.varve.search.aggregation.parse;

import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.BucketAggregation.Thresholds;
import io.varve.search.aggregation.BucketOrder;
import io.varve.search.aggregation.FieldSource;
import io.varve.search.aggregation.IncludeExclude;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses aggregations over terms. */
final class TermsParsers {

  private static final Set<String> HINTS = Set.of("map", "global_ordinals");
  private static final Set<String> MODES = Set.of("depth_first", "breadth_first");

  /** The largest {@code max_doc_count} of {@code rare_terms}. */
  private static final int MOST_RARE = 100;

  private TermsParsers() {}

  static BucketAggregation read(String type, AggregationFields fields) {
    return switch (type) {
      case "terms" -> terms(fields);
      case "rare_terms" -> rareTerms(fields);
      default -> multiTerms(fields);
    };
  }

  private static BucketAggregation multiTerms(AggregationFields fields) {
    BucketOrder order = Orders.take(fields, BucketOrder.COUNT_DESCENDING);
    Thresholds thresholds = thresholds(fields, 10, 1, order.isByKey());
    boolean showError = fields.takeBoolean("show_term_doc_count_error", false);
    checkMode(fields);
    Arr terms = fields.takeArray("terms");
    if (terms == null) {
      throw AggregationFields.illegal("Required [terms]");
    }
    List<FieldSource> sources = new ArrayList<>();
    for (JsonValue item : terms.items()) {
      if (!(item instanceof Obj object)) {
        throw fields.unsupported("terms", item);
      }
      AggregationFields source = fields.within("multi_terms", object);
      sources.add(Sources.of(source));
      source.end("field", "missing", "value_type", "format");
    }
    if (sources.size() < 2) {
      throw AggregationFields.illegal(
          "multi term aggregation must has at least 2 terms. Found ["
              + sources.size()
              + "] in ["
              + fields.name()
              + "] Use terms aggregation for single term aggregation");
    }
    return new BucketAggregation.MultiTerms(sources, order, thresholds, showError);
  }

  /** Checks the collect mode, which has no effect on the response and is otherwise ignored. */
  private static void checkMode(AggregationFields fields) {
    String mode = fields.takeString("collect_mode");
    if (mode != null && !MODES.contains(mode)) {
      throw AggregationFields.illegal("no [collect_mode] found for value [" + mode + "]");
    }
  }

  private static BucketAggregation terms(AggregationFields fields) {
    BucketOrder order = Orders.take(fields, BucketOrder.COUNT_DESCENDING);
    Thresholds thresholds = thresholds(fields, 10, 1, order.isByKey());
    IncludeExclude included = includeExclude(fields);
    boolean showError = fields.takeBoolean("show_term_doc_count_error", false);
    String hint = fields.takeString("execution_hint");
    if (hint != null && !HINTS.contains(hint)) {
      fields.warn("Unknown execution_hint [" + hint + "], expected one of [global_ordinals, map]");
    }
    checkMode(fields);
    FieldSource source = Sources.of(fields);
    return new BucketAggregation.Terms(
        source, order, thresholds, included, showError, "global_ordinals".equals(hint));
  }

  private static BucketAggregation rareTerms(AggregationFields fields) {
    int most = fields.takeInt("max_doc_count", 1);
    positive("max_doc_count", most, fields);
    if (most > MOST_RARE) {
      throw AggregationFields.illegal(
          "[max_doc_count] must be smaller than " + MOST_RARE + " in [" + fields.name() + "]");
    }
    double precision = fields.takeDouble("precision", 0.001);
    if (precision < 0.00001) {
      throw AggregationFields.illegal("[precision] must be greater than 0.00001");
    }
    IncludeExclude included = includeExclude(fields);
    return new BucketAggregation.RareTerms(Sources.of(fields), most, precision, included);
  }

  static Thresholds thresholds(
      AggregationFields fields, int defaultSize, long defaultMinDocs, boolean exactSize) {
    int size = fields.takeInt("size", defaultSize);
    positive("size", size, fields);
    int shardSize = fields.takeInt(fields.has("shardSize") ? "shardSize" : "shard_size", -1);
    if (shardSize != -1) {
      positive("shardSize", shardSize, fields);
    }
    long minDocs = fields.takeLong("min_doc_count", defaultMinDocs);
    notNegative("minDocCount", minDocs, fields);
    long shardMinDocs = fields.takeLong("shard_min_doc_count", 0);
    notNegative("shardMinDocCount", shardMinDocs, fields);
    int suggested = exactSize ? size : (int) Math.min(Integer.MAX_VALUE, (long) (size * 1.5 + 10));
    return new Thresholds(
        size,
        Math.max(size, shardSize == -1 ? suggested : shardSize),
        minDocs,
        Math.min(shardMinDocs, minDocs));
  }

  static void positive(String name, long value, AggregationFields fields) {
    if (value <= 0) {
      throw AggregationFields.illegal(
          "["
              + name
              + "] must be greater than 0. Found ["
              + value
              + "] in ["
              + fields.name()
              + "]");
    }
  }

  private static void notNegative(String name, long value, AggregationFields fields) {
    if (value < 0) {
      throw AggregationFields.illegal(
          "["
              + name
              + "] must be greater than or equal to 0. Found ["
              + value
              + "] in ["
              + fields.name()
              + "]");
    }
  }

  static @Nullable IncludeExclude includeExclude(AggregationFields fields) {
    JsonValue include = fields.take("include");
    JsonValue exclude = fields.take("exclude");
    if (include == null && exclude == null) {
      return null;
    }
    if (include instanceof Obj partition) {
      if (exclude != null) {
        throw AggregationFields.illegal(
            "Cannot specify any excludes when using a partition-based include");
      }
      return partition(fields.within("include", partition));
    }
    if (exclude instanceof Obj object) {
      throw fields.unsupported("exclude", object);
    }
    String includePattern = pattern(include);
    String excludePattern = pattern(exclude);
    if (includePattern != null || excludePattern != null) {
      if (include instanceof Arr || exclude instanceof Arr) {
        throw AggregationFields.illegal(
            "Cannot mix a set-based include with a regex-based method for exclude or the other way"
                + " round");
      }
      return new IncludeExclude.Patterns(includePattern, excludePattern);
    }
    return new IncludeExclude.Lists(list(fields, include), list(fields, exclude));
  }

  private static IncludeExclude partition(AggregationFields fields) {
    int partition = fields.takeInt("partition", -1);
    int partitions = fields.takeInt("num_partitions", -1);
    fields.end("partition", "num_partitions");
    if (partition < 0) {
      throw AggregationFields.illegal("Missing [partition] parameter for partition-based include");
    }
    if (partitions <= 0) {
      throw AggregationFields.illegal(
          "Missing [num_partitions] parameter for partition-based include");
    }
    if (partition >= partitions) {
      throw AggregationFields.illegal(
          "[partition] must be less than [num_partitions], was [" + partition + "]");
    }
    return new IncludeExclude.Partition(partition, partitions);
  }

  private static @Nullable String pattern(@Nullable JsonValue value) {
    return value instanceof Scalar scalar ? String.valueOf(scalar.value()) : null;
  }

  private static @Nullable List<Object> list(AggregationFields fields, @Nullable JsonValue value) {
    if (!(value instanceof Arr array)) {
      return null;
    }
    List<Object> items = new ArrayList<>();
    for (JsonValue item : array.items()) {
      if (!(item instanceof Scalar scalar) || scalar.value() == null) {
        throw fields.unsupported("include", item);
      }
      items.add(scalar.value());
    }
    return items;
  }
}
