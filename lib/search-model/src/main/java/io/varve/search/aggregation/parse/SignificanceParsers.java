package io.varve.search.aggregation.parse;

import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.BucketAggregation.Texts;
import io.varve.search.aggregation.BucketAggregation.Thresholds;
import io.varve.search.aggregation.Heuristic;
import io.varve.search.aggregation.IncludeExclude;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import io.varve.search.query.Query;
import io.varve.search.query.QueryParser;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses aggregations that find significant or rare terms. */
final class SignificanceParsers {

  private static final long DEFAULT_MIN_DOC_COUNT = 3;
  private static final List<String> HEURISTICS =
      List.of("jlh", "mutual_information", "chi_square", "gnd", "percentage", "script_heuristic");

  private SignificanceParsers() {}

  static BucketAggregation read(String type, AggregationFields fields) {
    Heuristic heuristic = heuristic(fields);
    Thresholds thresholds = thresholds(fields);
    IncludeExclude included = TermsParsers.includeExclude(fields);
    JsonValue filter = fields.take("background_filter");
    Query background = filter == null ? null : QueryParser.parse(filter);
    if (type.equals("significant_text")) {
      Texts texts =
          new Texts(
              requiredField(fields),
              sourceFields(fields),
              fields.takeBoolean("filter_duplicate_text", false));
      return new BucketAggregation.SignificantText(
          texts, thresholds, heuristic, background, included);
    }
    String hint = fields.takeString("execution_hint");
    if (hint != null && !hint.equals("map") && !hint.equals("global_ordinals")) {
      throw AggregationFields.illegal(
          "Unknown `execution_hint`: [" + hint + "], expected any of [map, global_ordinals]");
    }
    return new BucketAggregation.SignificantTerms(
        Sources.of(fields), thresholds, heuristic, background, included);
  }

  private static String requiredField(AggregationFields fields) {
    String field = fields.takeString("field");
    if (field == null) {
      throw AggregationFields.illegal(
          "Required one of fields [field, script], but none were specified. ");
    }
    return field;
  }

  /**
   * Shards return twice as many terms as for {@code terms}: a term that is rare on one shard may be
   * common on another.
   */
  private static Thresholds thresholds(AggregationFields fields) {
    boolean given = fields.has("shard_size") || fields.has("shardSize");
    Thresholds plain = TermsParsers.thresholds(fields, 10, DEFAULT_MIN_DOC_COUNT, false);
    return given
        ? plain
        : new Thresholds(
            plain.size(),
            (int) Math.min(Integer.MAX_VALUE, plain.shardSize() * 2L),
            plain.minDocCount(),
            plain.shardMinDocCount());
  }

  private static Heuristic heuristic(AggregationFields fields) {
    Heuristic found = null;
    for (String name : HEURISTICS) {
      if (!fields.has(name)) {
        continue;
      }
      Obj body = fields.takeObject(name);
      if (body == null) {
        throw AggregationFields.illegal("[" + name + "] must be given as an object");
      }
      if (found != null) {
        throw AggregationFields.illegal(
            "only one significance heuristic can be given in [" + fields.name() + "]");
      }
      found = heuristic(name, fields.within(name, body));
    }
    return found == null ? new Heuristic.Jlh() : found;
  }

  private static Heuristic heuristic(String name, AggregationFields body) {
    Heuristic heuristic =
        switch (name) {
          case "jlh" -> new Heuristic.Jlh();
          case "percentage" -> new Heuristic.Percentage();
          case "gnd" -> new Heuristic.Gnd(body.takeBoolean("background_is_superset", true));
          case "mutual_information" ->
              new Heuristic.MutualInformation(
                  body.takeBoolean("include_negatives", false),
                  body.takeBoolean("background_is_superset", true));
          case "chi_square" ->
              new Heuristic.ChiSquare(
                  body.takeBoolean("include_negatives", false),
                  body.takeBoolean("background_is_superset", true));
          default ->
              throw AggregationFields.illegal(
                  "[script_heuristic] is not offered by Varve, which has no scripts");
        };
    body.end("include_negatives", "background_is_superset");
    return heuristic;
  }

  private static List<String> sourceFields(AggregationFields fields) {
    JsonValue value = fields.take("source_fields");
    List<String> names = new ArrayList<>();
    switch (value) {
      case null -> {}
      case Scalar scalar -> names.add(String.valueOf(scalar.value()));
      case Arr array -> array.items().forEach(item -> names.add(name(fields, item)));
      default -> throw fields.unsupported("source_fields", value);
    }
    return names;
  }

  private static String name(AggregationFields fields, JsonValue item) {
    @Nullable Object name = item instanceof Scalar scalar ? scalar.value() : null;
    if (name == null) {
      throw fields.unsupported("source_fields", item);
    }
    return name.toString();
  }
}
