package io.varve.search.query;

import static io.varve.search.query.QueryParser.boost;
import static io.varve.search.query.QueryParser.ended;
import static io.varve.search.query.QueryParser.parse;
import static io.varve.search.query.QueryParser.required;
import static io.varve.search.query.QueryParser.several;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.query.CompoundQuery.ScoreMode;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parses queries that contain other queries. */
final class CompoundQueries {

  private CompoundQueries() {}

  static Query bool(Fields fields, int depth) {
    float boost = boost(fields);
    String minimum = fields.takeString("minimum_should_match");
    boolean pureNegative = fields.takeBoolean("adjust_pure_negative", true);
    List<Query> must = several(fields, "must", depth);
    List<Query> filter = several(fields, "filter", depth);
    List<Query> should = several(fields, "should", depth);
    List<Query> mustNot = several(fields, "must_not", depth);
    if (mustNot.isEmpty()) {
      mustNot = several(fields, "mustNot", depth);
    }
    return ended(
        fields, new Query.Bool(must, filter, should, mustNot, minimum, pureNegative, boost));
  }

  static Query constantScore(Fields fields, int depth) {
    float boost = boost(fields);
    JsonValue filter = fields.take("filter");
    if (filter instanceof Arr) {
      throw filter.refused("unexpected token [START_ARRAY]");
    }
    if (filter == null) {
      fields.end();
      throw fields.object().refused("[constant_score] requires a 'filter' element");
    }
    return ended(fields, new Query.ConstantScore(parse(filter, depth + 1), boost));
  }

  static Query disMax(Fields fields, int depth) {
    float boost = boost(fields);
    float tieBreaker = fields.takeFloat("tie_breaker", 0);
    boolean given = fields.object().fields().containsKey("queries");
    List<Query> queries = several(fields, "queries", depth);
    Query query = ended(fields, new CompoundQuery.DisMax(queries, tieBreaker, boost));
    if (!given || queries.isEmpty()) {
      throw fields.object().refused("[dis_max] requires 'queries' field with at least one clause");
    }
    return query;
  }

  static Query boosting(Fields fields, int depth) {
    float boost = boost(fields);
    Query positive =
        required(
            fields, "positive", depth, "[boosting] query requires 'positive' query to be set'");
    Query negative =
        required(
            fields, "negative", depth, "[boosting] query requires 'negative' query to be set'");
    float negativeBoost = fields.takeFloat("negative_boost", -1);
    if (negativeBoost < 0) {
      throw fields
          .object()
          .refused("[boosting] query requires 'negative_boost' to be set to be a positive value'");
    }
    return ended(fields, new CompoundQuery.Boosting(positive, negative, negativeBoost, boost));
  }

  static Query nested(Fields fields, int depth) {
    float boost = boost(fields);
    String path = fields.takeString("path");
    boolean ignoreUnmapped = fields.takeBoolean("ignore_unmapped", false);
    ScoreMode mode = scoreMode(fields.takeString("score_mode"));
    JsonValue inner = fields.take("inner_hits");
    JsonValue query = fields.take("query");
    if (path == null) {
      throw illegal("[nested] requires 'path' field");
    }
    if (query == null) {
      throw illegal("[nested] requires 'query' field");
    }
    return ended(
        fields,
        new CompoundQuery.Nested(
            path,
            parse(query, depth + 1),
            mode,
            ignoreUnmapped,
            inner == null ? null : InnerHits.parse(inner),
            boost));
  }

  private static ScoreMode scoreMode(@Nullable String name) {
    return switch (name == null ? "avg" : name.toLowerCase(Locale.ROOT)) {
      case "none" -> ScoreMode.NONE;
      case "avg" -> ScoreMode.AVG;
      case "max" -> ScoreMode.MAX;
      case "min" -> ScoreMode.MIN;
      case "sum" -> ScoreMode.SUM;
      default -> throw illegal("No score mode for child query [" + name + "] found");
    };
  }

  static Query wrapper(Fields fields, int depth) {
    String encoded = fields.takeString("query");
    if (encoded == null || encoded.isEmpty()) {
      throw fields
          .object()
          .refused("[wrapper] query malformed, expected `query` but found nothing");
    }
    fields.end();
    try {
      return parse(JsonValue.parseObject(Base64.getDecoder().decode(encoded)), depth + 1);
    } catch (IllegalArgumentException e) {
      throw fields.object().refused("[wrapper] query is not base64: " + e.getMessage());
    }
  }

  private static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
