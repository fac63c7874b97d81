package io.varve.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchRequest.HitParts;
import io.varve.search.SearchRequest.Limits;
import io.varve.search.SearchRequest.Origin;
import io.varve.search.SearchRequest.Page;
import io.varve.search.SearchRequest.Scope;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import io.varve.search.mapping.ValueException;
import io.varve.search.query.Query;
import io.varve.search.query.QueryParser;
import io.varve.search.query.UriQuery;
import io.varve.search.source.SourceFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a search's body and URL parameters. */
final class SearchRequestParser {

  private static final Set<String> NOT_SUPPORTED =
      Set.of(
          "collapse",
          "derived",
          "docvalue_fields",
          "explain",
          "ext",
          "fields",
          "highlight",
          "indices_boost",
          "profile",
          "rescore",
          "script_fields",
          "search_pipeline",
          "stored_fields",
          "suggest");

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
    HitParts parts =
        new HitParts(
            source(),
            flag("version", false),
            flag("seq_no_primary_term", false),
            flag("track_scores", false));
    Limits limits = limits();
    refuseTheRest();
    return new SearchRequest(
        query,
        post == null ? null : QueryParser.parse(post),
        sort,
        page,
        parts,
        limits,
        trackedHits,
        scope,
        origin);
  }

  private Query query() {
    JsonValue value = body.take("query");
    String text = parameters.get("q");
    if (text != null) {
      return UriQuery.parse(text, parameters.get("df"), parameters.get("default_operator"));
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
   * @param tieBroken a key will be added behind the sort's, whose value need not be given
   */
  private Page page(List<SortKey> sort, boolean tieBroken) {
    int from = number("from", -1);
    int size = number("size", SearchRequest.DEFAULT_SIZE);
    if (from < -1) {
      throw illegal("[from] parameter cannot be negative but was [" + from + "]");
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

  private SourceFilter source() {
    JsonValue value = body.take("_source");
    SourceFilter fromUrl = sourceOfUrl(parameters);
    return fromUrl != null ? fromUrl : sourceOf(value);
  }

  /** What the URL says of the source, or null when it says nothing. */
  static @Nullable SourceFilter sourceOfUrl(Map<String, String> parameters) {
    String whole = parameters.get("_source");
    List<String> includes = new ArrayList<>(list(parameters.get("_source_includes")));
    List<String> excludes = list(parameters.get("_source_excludes"));
    if (whole == null && includes.isEmpty() && excludes.isEmpty()) {
      return null;
    }
    if ("false".equals(whole)) {
      return SourceFilter.NONE;
    }
    if (whole != null && !whole.isEmpty() && !whole.equals("true")) {
      includes.addAll(list(whole));
    }
    return new SourceFilter(true, includes, excludes);
  }

  private static SourceFilter sourceOf(@Nullable JsonValue value) {
    return switch (value) {
      case null -> SourceFilter.ALL;
      case Scalar scalar when scalar.value() instanceof Boolean enabled ->
          enabled ? SourceFilter.ALL : SourceFilter.NONE;
      case Scalar scalar when scalar.value() instanceof String name ->
          new SourceFilter(true, List.of(name), List.of());
      case Scalar scalar ->
          throw scalar.refused(
              "Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found ["
                  + scalar.token()
                  + "]");
      case Arr array -> new SourceFilter(true, names(array), List.of());
      case Obj object -> sourceOf(new Fields("_source", object));
    };
  }

  private static SourceFilter sourceOf(Fields fields) {
    List<String> includes = new ArrayList<>(fields.takeStrings("includes"));
    includes.addAll(fields.takeStrings("include"));
    List<String> excludes = new ArrayList<>(fields.takeStrings("excludes"));
    excludes.addAll(fields.takeStrings("exclude"));
    if (!fields.rest().isEmpty()) {
      Map.Entry<String, JsonValue> first = fields.rest().entrySet().iterator().next();
      throw unknownKey(first.getKey(), first.getValue());
    }
    return new SourceFilter(true, includes, excludes);
  }

  private static List<String> names(Arr array) {
    List<String> names = new ArrayList<>();
    for (JsonValue item : array.items()) {
      if (!(item instanceof Scalar scalar) || !(scalar.value() instanceof String name)) {
        throw item.refused("Unknown key for a " + item.token() + " in [_source].");
      }
      names.add(name);
    }
    return names;
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
    long timeoutMillis = timeout == null ? 0 : Math.max(0, TimeText.millis("timeout", timeout));
    return new Limits(minScore, timeoutMillis, terminateAfter);
  }

  private boolean flag(String name, boolean otherwise) {
    boolean ofBody = body.takeBoolean(name, otherwise);
    String text = parameters.get(name);
    return switch (text) {
      case null -> ofBody;
      case "true", "" -> true;
      case "false" -> false;
      default ->
          throw illegal(
              "Failed to parse value [" + text + "] as only [true] or [false] are allowed.");
    };
  }

  private int number(String name, int otherwise) {
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
      if (name.equals("aggs") || name.equals("aggregations")) {
        throw illegal("aggregations are not supported in this version");
      }
      boolean asksNothing =
          entry.getValue() instanceof Scalar scalar && Boolean.FALSE.equals(scalar.value());
      if (NOT_SUPPORTED.contains(name) && !asksNothing) {
        throw illegal("[" + name + "] is not supported in this version");
      }
      if (!NOT_SUPPORTED.contains(name)) {
        throw unknownKey(name, entry.getValue());
      }
    }
  }

  private static ApiException unknownKey(String name, JsonValue value) {
    return value.refused("Unknown key for a " + value.token() + " in [" + name + "].");
  }

  private static List<String> list(@Nullable String text) {
    return text == null || text.isEmpty() ? List.of() : List.of(text.split("\\s*,\\s*", -1));
  }

  private static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
