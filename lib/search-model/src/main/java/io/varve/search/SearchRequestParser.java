package io.varve.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchRequest.Limits;
import io.varve.search.SearchRequest.Origin;
import io.varve.search.SearchRequest.Scope;
import io.varve.search.aggregation.Aggregations;
import io.varve.search.aggregation.parse.AggregationParser;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import io.varve.search.mapping.ValueException;
import io.varve.search.query.HitPartsParser;
import io.varve.search.query.HitsRequest;
import io.varve.search.query.HitsRequest.HitParts;
import io.varve.search.query.HitsRequest.Page;
import io.varve.search.query.Query;
import io.varve.search.query.QueryParser;
import io.varve.search.query.SortKey;
import io.varve.search.query.SortParser;
import io.varve.search.query.UriQuery;
import io.varve.text.TimeValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses the body and the URL parameters of a search. */
final class SearchRequestParser {

  /** Fields that OpenSearch supports and Varve does not. An empty object is accepted. */
  private static final Set<String> NOT_SUPPORTED =
      Set.of("derived", "ext", "search_pipeline", "suggest");

  private final Fields body;
  private final Map<String, String> parameters;

  private SearchRequestParser(Fields body, Map<String, String> parameters) {
    this.body = body;
    this.parameters = parameters;
  }

  static SearchRequest parse(byte[] json, Map<String, String> parameters) {
    try {
      Obj object = JsonValue.parseObject(json);
      return new SearchRequestParser(new Fields("search", object), parameters)
          .read(new Origin(json, parameters));
    } catch (ValueException e) {
      throw new ApiException(e.error());
    }
  }

  private SearchRequest read(Origin origin) {
    Query query = query();
    JsonValue post = body.take("post_filter");
    List<SortKey> sort = sort();
    int trackedHits = trackedHits();
    Scope scope = ScopeParser.parse(body);
    Page page = page(sort, scope.pit() != null && ScopeParser.needsTieBreak(sort));
    if (scope.pit() != null && ScopeParser.needsTieBreak(sort)) {
      sort = ScopeParser.withTieBreak(sort);
    }
    HitParts parts = new HitPartsParser(body, parameters).read();
    Limits limits = limits();
    Ranking ranking = RankingParser.parse(body);
    checkTogether(ranking, page, sort);
    Aggregations aggregations = aggregations();
    refuseTheRest();
    return new SearchRequest(
        query,
        post == null ? null : QueryParser.parse(post),
        new HitsRequest(sort, page, parts, totalsAsNumbers()),
        limits,
        trackedHits,
        scope,
        ranking,
        aggregations,
        origin);
  }

  private static void checkTogether(Ranking ranking, Page page, List<SortKey> sort) {
    if (ranking.collapse() != null && page.searchAfter() != null) {
      throw illegal("cannot use `collapse` in conjunction with `search_after`");
    }
    if (ranking.collapse() != null && !ranking.rescores().isEmpty()) {
      throw illegal("cannot use `collapse` in conjunction with `rescore`");
    }
    if (!ranking.rescores().isEmpty()
        && !sort.isEmpty()
        && !(sort.size() == 1 && sort.getFirst().isScore() && sort.getFirst().descending())) {
      throw illegal("Cannot use [sort] option in conjunction with [rescore].");
    }
  }

  private Aggregations aggregations() {
    JsonValue whole = body.take("aggregations");
    JsonValue brief = body.take("aggs");
    if (whole != null && brief != null) {
      throw brief.refused("Found two aggregation definitions: [aggs] and [aggregations]");
    }
    JsonValue given = whole == null ? brief : whole;
    return given == null ? Aggregations.NONE : AggregationParser.parse(given);
  }

  private Query query() {
    JsonValue value = body.take("query");
    String text = parameters.get("q");
    if (text != null) {
      return UriQuery.parse(text, parameters);
    }
    return value == null ? new Query.MatchAll(Query.NO_BOOST) : QueryParser.parse(value);
  }

  private List<SortKey> sort() {
    JsonValue value = body.take("sort");
    String text = parameters.get("sort");
    if (text != null) {
      return SortParser.parse(text);
    }
    return value == null ? List.of() : SortParser.parse(value);
  }

  /**
   * @param tieBroken whether a tie-breaking key will be added to the sort; {@code search_after} may
   *     then omit its value
   */
  private Page page(List<SortKey> sort, boolean tieBroken) {
    int from = number("from", 0);
    int size = number("size", SearchRequest.DEFAULT_SIZE);
    if (from < 0) {
      throw illegal("[from] parameter cannot be negative, found [" + from + "]");
    }
    if (size < 0) {
      throw illegal("[size] parameter cannot be negative, found [" + size + "]");
    }
    List<@Nullable Object> after = searchAfter();
    if (after != null) {
      if (from > 0) {
        throw illegal("`from` parameter must be set to 0 when `search_after` is used.");
      }
      if (sort.isEmpty()) {
        throw illegal("Sort must contain at least one field.");
      }
      if (tieBroken && after.size() == sort.size()) {
        after.add(SortKey.BEHIND_ALL);
      }
      if (after.size() != sort.size() + (tieBroken ? 1 : 0)) {
        throw illegal(
            "search_after has " + after.size() + " value(s) but sort has " + sort.size() + ".");
      }
    }
    return new Page(Math.max(0, from), size, after);
  }

  private @Nullable List<@Nullable Object> searchAfter() {
    JsonValue value = body.take("search_after");
    if (value == null) {
      return null;
    }
    if (!(value instanceof Arr array)) {
      throw value.refused(
          "Expected [START_ARRAY] in [search_after] but found [" + value.token() + "]");
    }
    if (array.items().isEmpty()) {
      throw illegal("Values must contains at least one value.");
    }
    List<@Nullable Object> values = new ArrayList<>();
    for (JsonValue item : array.items()) {
      if (!(item instanceof Scalar scalar)) {
        throw item.refused("Expected a value in [search_after] but found [" + item.token() + "]");
      }
      values.add(scalar.value());
    }
    return values;
  }

  private boolean totalsAsNumbers() {
    String asked = parameters.get("rest_total_hits_as_int");
    return asked != null && !asked.equals("false");
  }

  private int trackedHits() {
    Object fromBody = body.takeScalar("track_total_hits");
    String text = parameters.get("track_total_hits");
    Object value = text == null ? fromBody : text;
    if (value == null) {
      return SearchRequest.DEFAULT_TRACKED_HITS;
    }
    return switch (value.toString()) {
      case "true", "" -> SearchRequest.ALL_HITS;
      case "false" -> SearchRequest.NO_HITS;
      default -> {
        int limit = whole("track_total_hits", value);
        if (limit < -1) {
          throw illegal(
              "[track_total_hits] parameter must be positive or equals to -1, got " + limit);
        }
        yield limit;
      }
    };
  }

  private Limits limits() {
    Float minScore = null;
    String minScoreOfUrl = parameters.get("min_score");
    if (minScoreOfUrl != null) {
      minScore = decimal("min_score", minScoreOfUrl);
    } else if (body.object().fields().get("min_score") != null) {
      minScore = body.takeFloat("min_score", 0);
    }
    String timeoutOfBody = body.takeString("timeout");
    String timeout = parameters.getOrDefault("timeout", timeoutOfBody);
    int terminateAfter = number("terminate_after", 0);
    if (terminateAfter < 0) {
      throw illegal("terminateAfter must be > 0");
    }
    long timeoutMillis =
        timeout == null ? 0 : Math.max(-1, TimeValues.parseMillis("timeout", timeout));
    return new Limits(minScore, timeoutMillis, terminateAfter);
  }

  private int number(String name, int otherwise) {
    if (body.object().fields().get(name) instanceof Scalar scalar
        && scalar.value() instanceof Number wide
        && wide.longValue() != wide.intValue()) {
      throw new ApiException(
          400,
          "input_coercion_exception",
          "Numeric value (" + wide + ") out of range of int (-2147483648 - 2147483647)");
    }
    int ofBody = body.takeInt(name, otherwise);
    String text = parameters.get(name);
    return text == null ? ofBody : whole(name, text);
  }

  private static float decimal(String name, String value) {
    try {
      return Float.parseFloat(value);
    } catch (NumberFormatException e) {
      throw illegal("Failed to parse float parameter [" + name + "] with value [" + value + "]");
    }
  }

  private static int whole(String name, Object value) {
    try {
      return Integer.parseInt(value.toString());
    } catch (NumberFormatException e) {
      throw new ApiException(
          ErrorBody.illegalArgument(
                  "Failed to parse int parameter [" + name + "] with value [" + value + "]")
              .causedBy(
                  ErrorBody.of(400, "number_format_exception", String.valueOf(e.getMessage()))));
    }
  }

  private void refuseTheRest() {
    for (Map.Entry<String, JsonValue> entry : body.rest().entrySet()) {
      String name = entry.getKey();
      boolean asksNothing = entry.getValue() instanceof Obj object && object.fields().isEmpty();
      if (NOT_SUPPORTED.contains(name) && !asksNothing) {
        throw illegal("[" + name + "] is not offered by Varve");
      }
      if (!NOT_SUPPORTED.contains(name)) {
        throw unknownKey(name, entry.getValue());
      }
    }
  }

  private static ApiException unknownKey(String name, JsonValue value) {
    return value.refused("Unknown key for a " + value.token() + " in [" + name + "].");
  }

  private static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
