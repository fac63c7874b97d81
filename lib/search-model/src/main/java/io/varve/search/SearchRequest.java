package io.varve.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.aggregation.Aggregations;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.query.CompoundQuery.InnerHits;
import io.varve.search.query.Query;
import io.varve.search.source.SourceFilter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A search as it was asked for. The same request is read from the same body and URL parameters on
 * every node, which is why these are what crosses the wire.
 *
 * @param sort empty for by score
 * @param trackTotalHitsUpTo hits are counted exactly up to this number; {@link #ALL_HITS} for all,
 *     {@link #NO_HITS} for not at all
 * @param ranking what becomes of the hits that were found
 * @param scope what of the shards' content is looked at
 * @param postFilter narrows the hits, not what is counted elsewhere
 */
public record SearchRequest(
    Query query,
    @Nullable Query postFilter,
    List<SortKey> sort,
    Page page,
    HitParts parts,
    Limits limits,
    int trackTotalHitsUpTo,
    Scope scope,
    Ranking ranking,
    Aggregations aggregations,
    Origin origin) {

  public static final int DEFAULT_SIZE = 10;
  public static final int DEFAULT_TRACKED_HITS = 10_000;
  public static final int DEFAULT_MAX_RESULT_WINDOW = 10_000;
  public static final int ALL_HITS = Integer.MAX_VALUE;
  public static final int NO_HITS = -1;

  /** The URL parameters that belong to the request itself. */
  public static final Set<String> URL_PARAMETERS =
      Set.of(
          "q",
          "df",
          "default_operator",
          "analyzer",
          "analyze_wildcard",
          "lenient",
          "from",
          "size",
          "sort",
          "_source",
          "_source_includes",
          "_source_excludes",
          "stored_fields",
          "docvalue_fields",
          "explain",
          "include_named_queries_score",
          "rest_total_hits_as_int",
          "track_total_hits",
          "track_scores",
          "version",
          "seq_no_primary_term",
          "terminate_after",
          "timeout");

  /**
   * @param searchAfter the sort values of the last hit seen, or null
   */
  public record Page(int from, int size, @Nullable List<@Nullable Object> searchAfter) {}

  /** What a hit shows. */
  public record HitParts(
      SourceFilter source,
      boolean version,
      boolean seqNoPrimaryTerm,
      boolean trackScores,
      HitExtras extras) {}

  /**
   * @param timeoutMillis 0 for what is usual, -1 for none
   * @param terminateAfter hits after which a shard stops, 0 for none
   */
  public record Limits(@Nullable Float minScore, long timeoutMillis, int terminateAfter) {}

  /**
   * @param pit the point in time that is searched, or null for now
   * @param slice the part of it that is looked at, or null for all
   * @param groups under which the search is counted besides
   */
  public record Scope(@Nullable PointInTime pit, @Nullable Slice slice, List<String> groups) {

    public static final Scope ALL = new Scope(null, null, List.of());
  }

  /**
   * @param keepAlive a span of time as the client wrote it, or null to leave the end where it is
   */
  public record PointInTime(String id, @Nullable String keepAlive) {}

  /** What the request was read from. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Origin(byte[] body, Map<String, String> parameters) {
    public Origin {
      parameters = Map.copyOf(parameters);
    }
  }

  public SearchRequest {
    sort = List.copyOf(sort);
  }

  /**
   * Reads a request; throws an {@link ApiException} in the dialect's words. Parameters that are not
   * among {@link #URL_PARAMETERS} are not looked at; where one says the same as the body, it wins.
   */
  public static SearchRequest parse(byte[] body, Map<String, String> parameters) {
    return SearchRequestParser.parse(body, parameters);
  }

  /** Reads what a hit's parts show; refuses what it does not know. */
  public static SearchRequest ofInnerHits(Fields fields) {
    return SearchRequestParser.ofInnerHits(fields);
  }

  /** Reads {@code top_hits}: a search without a query of its own. */
  public static SearchRequest ofTopHits(Fields fields) {
    return SearchRequestParser.ofTopHits(fields);
  }

  /** Reads one {@code inner_hits}. */
  public static InnerHits innerHits(JsonValue value) {
    if (!(value instanceof JsonValue.Obj object)) {
      throw value.refused(
          "Expected [START_OBJECT] in [inner_hits] but found [" + value.token() + "]");
    }
    Fields fields = new Fields("inner_hits", object);
    String name = fields.takeString("name");
    return new InnerHits(name, fields.takeBoolean("ignore_unmapped", false), ofInnerHits(fields));
  }

  /** Whether totals are bare numbers; inner hits have theirs written by the shards. */
  public boolean totalsAsNumbers() {
    String asked = origin.parameters().get("rest_total_hits_as_int");
    return asked != null && !asked.equals("false");
  }

  /** Whether hits come by score, best first. */
  public boolean sortedByScore() {
    return sort.isEmpty()
        || (sort.getFirst().isScore() && sort.getFirst().descending() && sort.size() == 1);
  }

  /** Refuses a page that ends beyond what an index allows. */
  public @Nullable ErrorBody checkResultWindow(int maxResultWindow) {
    long end = (long) page.from + page.size;
    if (end <= maxResultWindow) {
      return null;
    }
    return ErrorBody.illegalArgument(
        "Result window is too large, from + size must be less than or equal to: ["
            + maxResultWindow
            + "] but was ["
            + end
            + "]. See the scroll api for a more efficient way to request large data sets. This"
            + " limit can be set by changing the [index.max_result_window] index level setting.");
  }
}
