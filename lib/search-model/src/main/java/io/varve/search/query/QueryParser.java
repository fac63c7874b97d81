package io.varve.search.query;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import io.varve.search.json.Suggestions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Parses queries. Unknown parts are refused with OpenSearch's error texts. */
public final class QueryParser {

  /** The maximum nesting of queries, so that they can't overflow the stack. */
  private static final int DEPTH_LIMIT = 100;

  /** Parses one type of query. */
  private interface Reader {
    Query read(Fields fields, int depth);
  }

  /** Parses a type of query that contains no other queries. */
  private interface LeafReader {
    Query read(Fields fields);
  }

  private static final class Registry {
    static final Map<String, Reader> READERS = new TreeMap<>();

    static {
      leaf("match_all", fields -> ended(fields, new Query.MatchAll(boost(fields))));
      leaf("match_none", QueryParser::matchNone);
      leaf("match", TextQueries::match);
      leaf("match_phrase", TextQueries::matchPhrase);
      leaf("match_phrase_prefix", TextQueries::matchPhrasePrefix);
      leaf("match_bool_prefix", TextQueries::matchBoolPrefix);
      leaf("multi_match", MultiFieldQueries::multiMatch);
      leaf("combined_fields", MultiFieldQueries::combinedFields);
      leaf("query_string", StringQueries::queryString);
      leaf("simple_query_string", StringQueries::simpleQueryString);
      leaf("more_like_this", LikeQueries::moreLikeThis);
      leaf("term", TermQueries::term);
      leaf("terms", TermQueries::terms);
      leaf("terms_set", TermQueries::termsSet);
      leaf("range", TermQueries::range);
      leaf("exists", TermQueries::exists);
      leaf("ids", TermQueries::ids);
      leaf("prefix", PatternQueries::prefix);
      leaf("wildcard", PatternQueries::wildcard);
      leaf("regexp", PatternQueries::regexp);
      leaf("fuzzy", PatternQueries::fuzzy);
      leaf("geo_bounding_box", GeoQueries::boundingBox);
      leaf("geo_distance", GeoQueries::distance);
      leaf("geo_polygon", GeoQueries::polygon);
      leaf("geo_shape", GeoQueries::shape);
      leaf("intervals", IntervalQueries::intervals);
      leaf("distance_feature", ScoreQueries::distanceFeature);
      READERS.put("function_score", ScoreQueries::functionScore);
      READERS.put("bool", CompoundQueries::bool);
      READERS.put("constant_score", CompoundQueries::constantScore);
      READERS.put("dis_max", CompoundQueries::disMax);
      READERS.put("boosting", CompoundQueries::boosting);
      READERS.put("nested", CompoundQueries::nested);
      READERS.put("wrapper", CompoundQueries::wrapper);
      leaf("span_term", SpanQueries::term);
      READERS.put("span_near", SpanQueries::near);
      READERS.put("span_or", SpanQueries::or);
      READERS.put("span_not", SpanQueries::not);
      READERS.put("span_first", SpanQueries::first);
      READERS.put("span_multi", SpanQueries::multi);
      READERS.put("span_containing", SpanQueries::containing);
      READERS.put("span_within", SpanQueries::within);
      READERS.put("field_masking_span", SpanQueries::fieldMasking);
      READERS.put("span_field_masking", SpanQueries::fieldMasking);
      for (String name :
          List.of(
              "script",
              "script_score",
              "percolate",
              "has_child",
              "has_parent",
              "parent_id",
              "rank_feature",
              "neural",
              "knn",
              "hybrid",
              "template")) {
        leaf(
            name,
            fields -> {
              throw new ApiException(
                  ErrorBody.illegalArgument("[" + name + "] queries are not offered by Varve"));
            });
      }
    }

    private static void leaf(String name, LeafReader reader) {
      READERS.put(name, (fields, _) -> reader.read(fields));
    }
  }

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
      throw new ApiException(
          ErrorBody.illegalArgument(
              "query malformed, empty clause found at [" + object.at() + "]"));
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
    Reader reader = Registry.READERS.get(only.getKey());
    if (reader == null) {
      throw unknown(only.getKey(), body);
    }
    return reader.read(new Fields(only.getKey(), body), depth);
  }

  private static Query matchNone(Fields fields) {
    // Accepted without effect.
    var _ = boost(fields);
    return ended(fields, new Query.MatchNone());
  }

  /** Reads a field that contains one query or a list of queries. */
  static List<Query> several(Fields fields, String name, int depth) {
    List<Query> queries = new ArrayList<>();
    switch (fields.take(name)) {
      case null -> {}
      case Arr array -> array.items().forEach(item -> queries.add(parse(item, depth + 1)));
      case Obj object -> queries.add(parse(object, depth + 1));
      case Scalar scalar ->
          throw scalar.refused("[" + fields.owner() + "] query does not support [" + name + "]");
    }
    return queries;
  }

  /** Reads a field that must contain a query. */
  static Query required(Fields fields, String name, int depth, String otherwise) {
    JsonValue value = fields.take(name);
    if (value == null) {
      throw fields.object().refused(otherwise);
    }
    return parse(value, depth + 1);
  }

  static float boost(Fields fields) {
    float boost = fields.takeFloat("boost", Query.NO_BOOST);
    if (boost < 0) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "negative [boost] are not allowed in ["
                  + fields.owner()
                  + "], use a value between 0 and 1 to deboost"));
    }
    return boost;
  }

  /** Reads the name that every query may have and rejects fields that were not read. */
  static Query ended(Fields fields, Query query) {
    String name = fields.takeString("_name");
    fields.end();
    return name == null ? query : new Query.Named(name, query);
  }

  private static ApiException unknown(String name, Obj body) {
    String message = "unknown query [" + name + "]" + didYouMean(name);
    ErrorBody cause =
        ErrorBody.of(
            400,
            "named_object_not_found_exception",
            "[" + body.at() + "] unknown field [" + name + "]");
    return new ApiException(body.refused(message).error().causedBy(cause));
  }

  private static String didYouMean(String name) {
    return Suggestions.hint(name, new TreeSet<>(Registry.READERS.keySet()));
  }

  /** The only field of the query's object, with its value. */
  static Map.Entry<String, JsonValue> onlyField(Fields fields, String query) {
    var entries = fields.rest().entrySet().iterator();
    if (!entries.hasNext()) {
      throw new ApiException(
          ErrorBody.illegalArgument("[" + query + "] requires fieldName, but none was given"));
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
