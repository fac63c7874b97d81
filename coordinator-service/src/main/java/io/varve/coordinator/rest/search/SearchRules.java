package io.varve.coordinator.rest.search;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchRequest;
import io.varve.search.Slice;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.MappingRules;
import io.varve.search.query.SortKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rejects combinations of search options that are not allowed, and searches that exceed limits of
 * indices.
 */
final class SearchRules {

  private static final String UNSIGNED = "\"" + FieldType.UNSIGNED_LONG.json() + "\"";

  private SearchRules() {}

  static void check(SearchRequest request, SearchOptions searchOptions) {
    List<String> problems = new ArrayList<>();
    if (searchOptions.scroll() != null) {
      addForScroll(request, searchOptions, problems);
    }
    if (request.scope().pit() != null) {
      addForPit(searchOptions, problems);
    }
    if (!problems.isEmpty()) {
      throw new ApiException(ErrorBodies.validation(problems));
    }
    if (request.scope().slice() != null
        && searchOptions.scroll() == null
        && request.scope().pit() == null) {
      throw new ApiException(
          ErrorBody.illegalArgument("[slice] can only be used with [scroll] or [pit] requests"));
    }
  }

  private static void addForScroll(
      SearchRequest request, SearchOptions searchOptions, List<String> problems) {
    int tracked = request.trackTotalHitsUpTo();
    if (tracked != SearchRequest.ALL_HITS && tracked != SearchRequest.DEFAULT_TRACKED_HITS) {
      problems.add("disabling [track_total_hits] is not allowed in a scroll context");
    }
    if (request.page().from() > 0) {
      problems.add("using [from] is not allowed in a scroll context");
    }
    if (Boolean.TRUE.equals(searchOptions.effort().requestCache())) {
      problems.add("[request_cache] cannot be used in a scroll context");
    }
    if (request.page().size() == 0) {
      problems.add("[size] cannot be [0] in a scroll context");
    }
    if (request.page().searchAfter() != null) {
      problems.add("`search_after` cannot be used in a scroll context.");
    }
    if (request.ranking().collapse() != null) {
      problems.add("cannot use `collapse` in a scroll context");
    }
    if (!request.ranking().rescores().isEmpty()) {
      problems.add("using [rescore] is not allowed in a scroll context");
    }
    if (request.scope().pit() != null) {
      problems.add("using [point in time] is not allowed in a scroll context");
    }
  }

  private static void addForPit(SearchOptions searchOptions, List<String> problems) {
    if (searchOptions.where().expression() != null) {
      problems.add(
          "[indices] cannot be used with point in time. Do not specify any index with point in"
              + " time.");
    }
    if (searchOptions.where().routing() != null) {
      problems.add("[routing] cannot be used with point in time");
    }
    if (!searchOptions.where().preference().equals(ShardPreference.NONE)) {
      problems.add("[preference] cannot be used with point in time");
    }
  }

  /** Makes the total exact, because a bare number cannot express that it is a lower bound. */
  static SearchRequest withNumberAsTotal(SearchRequest request) {
    int tracked = request.trackTotalHitsUpTo();
    if (tracked == SearchRequest.ALL_HITS || tracked == SearchRequest.NO_HITS) {
      return request;
    }
    if (tracked != SearchRequest.DEFAULT_TRACKED_HITS) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "[rest_total_hits_as_int] cannot be used if the tracking of total hits is not"
                  + " accurate, got "
                  + tracked));
    }
    return countingAll(request);
  }

  static SearchRequest countingAll(SearchRequest request) {
    return request.trackTotalHitsUpTo() == SearchRequest.ALL_HITS
        ? request
        : with(request, "track_total_hits", "true");
  }

  private static SearchRequest with(SearchRequest request, String name, String value) {
    Map<String, String> parameters = new LinkedHashMap<>(request.origin().parameters());
    parameters.put(name, value);
    return SearchRequest.parse(request.origin().body(), parameters);
  }

  /** Checks the limits of the indices; the error is the one that a shard would return. */
  static void checkLimits(
      SearchRequest request, SearchOptions searchOptions, List<IndexMetadata> indices) {
    for (IndexMetadata index : indices) {
      ErrorBody error = searchOptions.scroll() == null ? windowError(request, index) : null;
      if (error == null && searchOptions.scroll() != null) {
        error = batchError(request, index);
      }
      if (error == null) {
        error = sliceError(request, searchOptions, index);
      }
      if (error != null) {
        throw refusedByShard(index, error);
      }
    }
  }

  /** Rejects a sort that mixes unsigned longs with signed numbers, which cannot be compared. */
  static void checkSort(SearchRequest request, List<IndexMetadata> indices) {
    boolean any =
        indices.size() > 1
            && !request.sort().isEmpty()
            && indices.stream().anyMatch(index -> index.mapping().contains(UNSIGNED));
    if (!any) {
      return;
    }
    List<Mapping> mappings =
        indices.stream()
            .map(index -> Mapping.parse(index.mapping(), MappingRules.of(index.settings())))
            .toList();
    for (SortKey key : request.sort()) {
      List<FieldType> types =
          mappings.stream()
              .map(mapping -> mapping.leaf(key.field()))
              .filter(Objects::nonNull)
              .map(LeafField::type)
              .distinct()
              .toList();
      boolean forced =
          key.kind() instanceof SortKey.Kind.Values values && values.numericType() != null;
      if (types.size() > 1 && types.contains(FieldType.UNSIGNED_LONG) && !forced) {
        ErrorBody mixed =
            ErrorBody.illegalArgument(
                "Can't do sort across indices, as a field has [unsigned_long] type in one index,"
                    + " and different type in another index!");
        throw new ApiException(
            ErrorBody.of(400, "search_phase_execution_exception", "").causedBy(mixed));
      }
    }
  }

  private static @Nullable ErrorBody windowError(SearchRequest request, IndexMetadata index) {
    return request.checkResultWindow(IndexSettings.maxResultWindow(index.settings()));
  }

  private static @Nullable ErrorBody batchError(SearchRequest request, IndexMetadata index) {
    int limit = IndexSettings.maxResultWindow(index.settings());
    return request.page().size() <= limit
        ? null
        : ErrorBody.illegalArgument(
            "Batch size is too large, size must be less than or equal to: ["
                + limit
                + "] but was ["
                + request.page().size()
                + "]. Scroll batch sizes cost as much memory as result windows so they are"
                + " controlled by the [index.max_result_window] index level setting.");
  }

  private static @Nullable ErrorBody sliceError(
      SearchRequest request, SearchOptions searchOptions, IndexMetadata index) {
    Slice slice = request.scope().slice();
    if (slice == null) {
      return null;
    }
    String setting =
        searchOptions.scroll() == null
            ? IndexSettings.MAX_SLICES_PER_PIT
            : IndexSettings.MAX_SLICES_PER_SCROLL;
    int limit = Integer.parseInt(IndexSettings.value(index.settings(), setting));
    return slice.max() <= limit
        ? null
        : ErrorBody.illegalArgument(
            "The number of slices ["
                + slice.max()
                + "] is too large. It must be less than ["
                + limit
                + "]. This limit can be set by changing the ["
                + setting
                + "] index level setting.");
  }

  private static ApiException refusedByShard(IndexMetadata index, ErrorBody error) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("phase", "query");
    fields.put("grouped", true);
    Map<String, Object> shard = new LinkedHashMap<>();
    shard.put("shard", 0);
    shard.put("index", index.name());
    shard.put("reason", error.toMap());
    fields.put("failed_shards", List.of(shard));
    fields.put(ErrorBodies.ROOT_CAUSE, List.of(error.toMap()));
    return new ApiException(
        new ErrorBody(400, "search_phase_execution_exception", "all shards failed", fields, error));
  }

  /** A point in time always shows the state at its opening, so read promises do not apply. */
  static void checkPromiseOfPit(SearchOptions searchOptions) {
    if (searchOptions.promise().maxStalenessMillis() >= 0) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "[consistency] and [max_staleness] cannot be used with point in time"));
    }
  }
}
