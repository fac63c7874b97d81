package io.varve.search.query;

import static io.varve.search.query.QueryParser.boost;
import static io.varve.search.query.QueryParser.ended;
import static io.varve.search.query.QueryParser.onlyField;
import static io.varve.search.query.QueryParser.parse;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import io.varve.search.query.ScoreQuery.BoostMode;
import io.varve.search.query.ScoreQuery.Filtered;
import io.varve.search.query.ScoreQuery.Function;
import io.varve.search.query.ScoreQuery.FunctionsMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses queries that compute scores from field values. */
final class ScoreQueries {

  private static final List<String> MODIFIERS =
      List.of(
          "none", "log", "log1p", "log2p", "ln", "ln1p", "ln2p", "square", "sqrt", "reciprocal");

  private ScoreQueries() {}

  static Query distanceFeature(Fields fields) {
    float boost = boost(fields);
    String field = fields.takeString("field");
    JsonValue origin = fields.take("origin");
    String pivot = fields.takeString("pivot");
    Object plain = origin == null ? null : origin.plain();
    if (field == null || plain == null || pivot == null) {
      throw new ApiException(
          ErrorBody.illegalArgument("Required [field, origin, pivot] in [distance_feature]"));
    }
    return ended(fields, new ScoreQuery.DistanceFeature(field, plain, pivot, boost));
  }

  static Query functionScore(Fields fields, int depth) {
    float boost = boost(fields);
    JsonValue query = fields.take("query");
    FunctionsMode mode = functionsMode(fields.takeString("score_mode"));
    BoostMode boostMode = boostMode(fields.takeString("boost_mode"));
    float maxBoost = fields.takeFloat("max_boost", Float.MAX_VALUE);
    Float minScore =
        fields.object().fields().containsKey("min_score")
            ? (Float) fields.takeFloat("min_score", 0)
            : null;
    List<Filtered> functions = new ArrayList<>();
    JsonValue list = fields.take("functions");
    if (list != null) {
      if (!(list instanceof Arr array)) {
        throw list.refused(
            "failed to parse [function_score] query. expected an array of functions");
      }
      for (JsonValue item : array.items()) {
        if (!(item instanceof Obj object)) {
          throw item.refused(
              "failed to parse [function_score]. malformed query, expected a function");
        }
        functions.add(filtered(new Fields("function_score", object), depth));
      }
    }
    Filtered own = function(fields, null);
    if (own != null) {
      if (list != null) {
        throw fields
            .object()
            .refused(
                "failed to parse [function_score] query. already found [functions] array, now"
                    + " encountering a single function");
      }
      functions.add(own);
    }
    Query inner = query == null ? new Query.MatchAll(Query.NO_BOOST) : parse(query, depth + 1);
    return ended(
        fields,
        new ScoreQuery.FunctionScore(inner, functions, mode, boostMode, maxBoost, minScore, boost));
  }

  private static Filtered filtered(Fields fields, int depth) {
    JsonValue filter = fields.take("filter");
    Query query = filter == null ? null : parse(filter, depth + 1);
    Filtered function = function(fields, query);
    fields.end();
    if (function == null) {
      throw fields.object().refused("an entry in functions list is missing a function.");
    }
    return function;
  }

  /** The function that an object defines, or null if it defines none. */
  private static @Nullable Filtered function(Fields fields, @Nullable Query filter) {
    Float weight =
        fields.object().fields().containsKey("weight")
            ? (Float) fields.takeFloat("weight", 1)
            : null;
    if (weight != null && weight < 0) {
      throw new ApiException(ErrorBody.illegalArgument("[weight] cannot be negative"));
    }
    Function function = null;
    for (String name :
        List.of("field_value_factor", "random_score", "gauss", "linear", "exp", "script_score")) {
      JsonValue value = fields.take(name);
      if (value == null) {
        continue;
      }
      if (function != null) {
        throw value.refused("failed to parse [function_score] query. already found a function");
      }
      if (!(value instanceof Obj object)) {
        throw value.refused("failed to parse [" + name + "]: expected an object");
      }
      Fields own = new Fields(name, object);
      function =
          switch (name) {
            case "field_value_factor" -> fieldValue(own);
            case "random_score" -> random(own);
            case "script_score" ->
                throw new ApiException(
                    ErrorBody.illegalArgument("[script_score] is not offered by Varve"));
            default -> decay(name, own);
          };
      own.end();
    }
    if (function == null) {
      return weight == null ? null : new Filtered(filter, new Function.Constant(), weight);
    }
    return new Filtered(filter, function, weight);
  }

  private static Function fieldValue(Fields fields) {
    String field = fields.takeString("field");
    String modifier = fields.takeString("modifier");
    String name = modifier == null ? "none" : modifier.toLowerCase(Locale.ROOT);
    Double missing =
        fields.object().fields().containsKey("missing")
            ? (Double) fields.takeDouble("missing", 0)
            : null;
    if (field == null) {
      throw fields.object().refused("[field_value_factor] required field 'field' missing");
    }
    if (!MODIFIERS.contains(name)) {
      throw new ApiException(ErrorBody.illegalArgument("Unknown modifier [" + modifier + "]"));
    }
    return new Function.FieldValue(field, fields.takeFloat("factor", 1), name, missing);
  }

  private static Function random(Fields fields) {
    Object seed = fields.takeScalar("seed");
    Long number =
        switch (seed) {
          case null -> null;
          case Long whole -> whole;
          default -> (long) seed.toString().hashCode();
        };
    return new Function.Random(number, fields.takeString("field"));
  }

  private static Function decay(String kind, Fields fields) {
    String mode = fields.takeString("multi_value_mode");
    Map.Entry<String, JsonValue> only = onlyField(fields, kind);
    fields.take(only.getKey());
    if (!(only.getValue() instanceof Obj object)) {
      throw only.getValue().refused("[" + kind + "] expects an object under the field");
    }
    Fields inner = new Fields(kind, object);
    JsonValue origin = inner.take("origin");
    Object scale = inner.takeScalar("scale");
    Object offset = inner.takeScalar("offset");
    double decay = inner.takeDouble("decay", 0.5);
    inner.end();
    if (scale == null) {
      throw object.refused("[" + kind + "] requires [scale]");
    }
    if (decay <= 0 || decay >= 1) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "FunctionScoreQuery: decay must be in the range [0..1], but was [" + decay + "]"));
    }
    return new Function.Decay(
        kind,
        only.getKey(),
        origin == null ? null : origin instanceof Scalar s ? s.value() : origin.plain(),
        scale,
        offset,
        decay,
        mode == null ? "min" : mode.toLowerCase(Locale.ROOT));
  }

  private static FunctionsMode functionsMode(@Nullable String name) {
    return switch (name == null ? "multiply" : name.toLowerCase(Locale.ROOT)) {
      case "multiply" -> FunctionsMode.MULTIPLY;
      case "sum" -> FunctionsMode.SUM;
      case "avg" -> FunctionsMode.AVG;
      case "first" -> FunctionsMode.FIRST;
      case "max" -> FunctionsMode.MAX;
      case "min" -> FunctionsMode.MIN;
      default ->
          throw new ApiException(ErrorBody.illegalArgument("illegal score_mode [" + name + "]"));
    };
  }

  private static BoostMode boostMode(@Nullable String name) {
    return switch (name == null ? "multiply" : name.toLowerCase(Locale.ROOT)) {
      case "multiply" -> BoostMode.MULTIPLY;
      case "replace" -> BoostMode.REPLACE;
      case "sum" -> BoostMode.SUM;
      case "avg" -> BoostMode.AVG;
      case "max" -> BoostMode.MAX;
      case "min" -> BoostMode.MIN;
      default ->
          throw new ApiException(ErrorBody.illegalArgument("illegal boost_mode [" + name + "]"));
    };
  }
}
