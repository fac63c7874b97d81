package io.varve.search.query;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads queries; what it does not know it refuses in the dialect's words. */
public final class QueryParser {

  /** Deeper queries are refused before they can exhaust a stack. */
  private static final int DEPTH_LIMIT = 100;

  private QueryParser() {}

  public static Query parse(JsonValue value) {
    return parse(value, 1);
  }

  static Query parse(JsonValue value, int depth) {
    if (!(value instanceof Obj object)) {
      throw value.refused("[_na] query malformed, must start with start_object");
    }
    if (depth > DEPTH_LIMIT) {
      throw value.refused("The depth of the query exceeds the limit of " + DEPTH_LIMIT);
    }
    if (object.fields().isEmpty()) {
      throw new ApiException(ErrorBody.illegalArgument("query malformed, empty clause found"));
    }
    var entries = object.fields().entrySet().iterator();
    Map.Entry<String, JsonValue> only = entries.next();
    if (!(only.getValue() instanceof Obj body)) {
      throw only.getValue()
          .refused("[" + only.getKey() + "] query malformed, no start_object after query name");
    }
    if (entries.hasNext()) {
      throw entries
          .next()
          .getValue()
          .refused(
              "["
                  + only.getKey()
                  + "] malformed query, expected [END_OBJECT] but found [FIELD_NAME]");
    }
    return named(only.getKey(), body, depth);
  }

  private static Query named(String name, Obj body, int depth) {
    Fields fields = new Fields(name, body);
    return switch (name) {
      case "match_all" -> ended(fields, new Query.MatchAll(boost(fields)));
      case "match_none" -> matchNone(fields);
      case "match" -> TextQueries.match(fields);
      case "match_phrase" -> TextQueries.matchPhrase(fields);
      case "multi_match" -> TextQueries.multiMatch(fields);
      case "term" -> TermQueries.term(fields);
      case "terms" -> TermQueries.terms(fields);
      case "range" -> TermQueries.range(fields);
      case "prefix" -> TermQueries.prefix(fields);
      case "wildcard" -> TermQueries.wildcard(fields);
      case "exists" -> TermQueries.exists(fields);
      case "ids" -> TermQueries.ids(fields);
      case "geo_bounding_box" -> GeoQueries.boundingBox(fields);
      case "geo_distance" -> GeoQueries.distance(fields);
      case "bool" -> bool(fields, depth);
      case "constant_score" -> constantScore(fields, depth);
      default -> throw unknown(name, body);
    };
  }

  private static Query matchNone(Fields fields) {
    // Of no effect, but part of the dialect.
    var _ = boost(fields);
    return ended(fields, new Query.MatchNone());
  }

  private static Query bool(Fields fields, int depth) {
    float boost = boost(fields);
    String minimum = fields.takeString("minimum_should_match");
    List<Query> must = clauses(fields, "must", depth);
    List<Query> filter = clauses(fields, "filter", depth);
    List<Query> should = clauses(fields, "should", depth);
    List<Query> mustNot = clauses(fields, "must_not", depth);
    if (mustNot.isEmpty()) {
      mustNot = clauses(fields, "mustNot", depth);
    }
    return ended(fields, new Query.Bool(must, filter, should, mustNot, minimum, boost));
  }

  private static List<Query> clauses(Fields fields, String name, int depth) {
    List<Query> queries = new ArrayList<>();
    switch (fields.take(name)) {
      case null -> {}
      case Arr array -> array.items().forEach(item -> queries.add(parse(item, depth + 1)));
      case Obj object -> queries.add(parse(object, depth + 1));
      case Scalar scalar -> throw scalar.refused("[bool] query does not support [" + name + "]");
    }
    return queries;
  }

  private static Query constantScore(Fields fields, int depth) {
    float boost = boost(fields);
    JsonValue filter = fields.take("filter");
    if (filter == null && fields.rest().isEmpty()) {
      throw fields.object().refused("[constant_score] requires a 'filter' element");
    }
    if (filter instanceof Arr) {
      throw filter.refused("unexpected token [START_ARRAY]");
    }
    Query inner = filter == null ? new Query.MatchNone() : parse(filter, depth + 1);
    return ended(fields, new Query.ConstantScore(inner, boost));
  }

  static float boost(Fields fields) {
    JsonValue at = fields.object();
    float boost = fields.takeFloat("boost", Query.NO_BOOST);
    if (boost < 0) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "negative [boost] are not allowed in ["
                  + at.at()
                  + "], use a value between 0 and 1 to deboost"));
    }
    return boost;
  }

  static <Q extends Query> Q ended(Fields fields, Q query) {
    fields.end();
    return query;
  }

  private static ApiException unknown(String name, Obj body) {
    ErrorBody cause =
        ErrorBody.of(
            400,
            "named_object_not_found_exception",
            "[" + body.at() + "] unknown field [" + name + "]");
    return new ApiException(body.refused("unknown query [" + name + "]").error().causedBy(cause));
  }

  /** The one field that a query is about, and what stands under it. */
  static Map.Entry<String, JsonValue> onlyField(Fields fields, String query) {
    var entries = fields.rest().entrySet().iterator();
    if (!entries.hasNext()) {
      throw fields.object().refused("[" + query + "] query malformed, no field given");
    }
    Map.Entry<String, JsonValue> first = entries.next();
    if (entries.hasNext()) {
      Map.Entry<String, JsonValue> second = entries.next();
      throw second
          .getValue()
          .refused(
              "["
                  + query
                  + "] query doesn't support multiple fields, found ["
                  + first.getKey()
                  + "] and ["
                  + second.getKey()
                  + "]");
    }
    return first;
  }
}
