package io.varve.search.query;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.source.SourceFilter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The hits to return and the parts of each hit, as a search, {@code inner_hits} and {@code
 * top_hits} define them.
 *
 * @param sort empty to sort by score
 * @param totalsAsNumbers totals are written as plain numbers ({@code rest_total_hits_as_int})
 */
public record HitsRequest(List<SortKey> sort, Page page, HitParts parts, boolean totalsAsNumbers) {

  private static final int DEFAULT_SIZE_WITHIN_HIT = 3;

  /**
   * @param searchAfter sort values of the last hit of the previous page, or null
   */
  public record Page(int from, int size, @Nullable List<@Nullable Object> searchAfter) {}

  /** The requested parts of each hit. */
  public record HitParts(
      SourceFilter source,
      boolean version,
      boolean seqNoPrimaryTerm,
      boolean trackScores,
      HitExtras extras) {}

  public HitsRequest {
    sort = List.copyOf(sort);
  }

  static HitsRequest ofInnerHits(Fields fields) {
    JsonValue collapse = fields.take("collapse");
    if (collapse != null) {
      // Checked but not kept: the search that returns a group's hits is parsed from its own body.
      var _ = Collapse.ofInnerHits(collapse);
    }
    HitsRequest request = parse(fields);
    fields.refuseUnknown();
    return request;
  }

  /**
   * Parses the options of {@code top_hits}: those of a search request for hits, without a query.
   */
  public static HitsRequest ofTopHits(Fields fields) {
    HitsRequest request = parse(fields);
    if (!fields.rest().isEmpty()) {
      Map.Entry<String, JsonValue> first = fields.rest().entrySet().iterator().next();
      throw first
          .getValue()
          .refused(
              "Unknown key for a " + first.getValue().token() + " in [" + first.getKey() + "].");
    }
    return request;
  }

  private static HitsRequest parse(Fields fields) {
    JsonValue sort = fields.take("sort");
    List<SortKey> keys = sort == null ? List.of() : SortParser.parse(sort);
    int from = fields.takeInt("from", 0);
    int size = fields.takeInt("size", DEFAULT_SIZE_WITHIN_HIT);
    if (from < 0) {
      throw illegal("illegal from value, at least 0 or higher");
    }
    if (size < 0) {
      throw illegal("illegal size value, at least 0 or higher");
    }
    return new HitsRequest(
        keys, new Page(from, size, null), new HitPartsParser(fields, Map.of()).read(), false);
  }

  /** Whether hits are sorted by score, best first. */
  public boolean sortedByScore() {
    return sort.isEmpty()
        || (sort.getFirst().isScore() && sort.getFirst().descending() && sort.size() == 1);
  }

  private static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
