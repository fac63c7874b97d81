package io.varve.coordinator.rest.byquery;

import io.varve.coordinator.rest.document.InnerWrites;
import io.varve.coordinator.rest.search.SearchOptions;
import io.varve.coordinator.rest.task.Task;
import io.varve.events.Json;
import io.varve.search.SearchRequest;
import io.varve.search.Slice;
import io.varve.search.hits.IndexHit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A search, with the operation on its hits.
 *
 * @param writing maps a hit to the resulting write
 */
record ByQuery(
    ByQueryKind operation,
    String description,
    Found found,
    Function<IndexHit, InnerWrites.Write> writing,
    Before before,
    Options options) {

  /** Without an operation before the writes. */
  ByQuery(
      ByQueryKind operation,
      String description,
      Found found,
      Function<IndexHit, InnerWrites.Write> writing,
      Options options) {
    this(operation, description, found, writing, Before.NOTHING, options);
  }

  /** An operation on each page of hits before they are written. */
  interface Before {

    /** Writes all hits. */
    Before NOTHING =
        new Before() {
          @Override
          public List<IndexHit> writes(List<IndexHit> hits, Task task, Throttle throttle) {
            return hits;
          }

          @Override
          public Map<String, Object> json() {
            return Map.of();
          }
        };

    /** Executes it, and returns the hits to write. */
    List<IndexHit> writes(List<IndexHit> hits, Task task, Throttle throttle)
        throws InterruptedException;

    /** Its numbers, which the status of the query contains too. */
    Map<String, Object> json();
  }

  /**
   * The search.
   *
   * @param body the body of the search, without size and slice
   * @param parameters the URL parameters of the search
   * @param slice the slice that the client requests, or null for all documents
   */
  record Found(
      SearchOptions.Where where,
      Map<String, Object> body,
      Map<String, String> parameters,
      @Nullable Slice slice) {}

  /**
   * Options that control the operation.
   *
   * @param proceed whether to continue after a version conflict
   * @param maxDocs the limit on documents to write; {@link #ALL} for all
   * @param batch the number of documents per page and bulk
   * @param slices the number of slices that run in parallel; {@link #AUTO} for one per shard
   */
  record Options(
      boolean proceed,
      long maxDocs,
      int batch,
      int slices,
      float perSecond,
      String keepAlive,
      boolean refresh,
      InnerWrites.Care care) {

    /** More documents than an index can contain, so that "all" needs no special case. */
    static final long ALL = Long.MAX_VALUE;

    static final int AUTO = 0;
  }

  private static final List<String> OWN_KEYS = List.of("size", "slice");

  /**
   * Returns the search of one slice.
   *
   * @param part the slice, or null for the slice that the client requested
   */
  SearchRequest search(@Nullable Slice part, int size) {
    Map<String, Object> full = new LinkedHashMap<>(found.body());
    OWN_KEYS.forEach(full::remove);
    full.put("size", size);
    full.putIfAbsent("sort", List.of("_doc"));
    Slice cut = part == null ? found.slice() : part;
    if (cut != null) {
      Map<String, Object> slice = new LinkedHashMap<>();
      if (cut.field() != null) {
        slice.put("field", cut.field());
      }
      slice.put("id", cut.id());
      slice.put("max", cut.max());
      full.put("slice", slice);
    }
    Map<String, String> parameters = new LinkedHashMap<>(found.parameters());
    parameters.put("version", "true");
    parameters.put("seq_no_primary_term", "true");
    return SearchRequest.parse(Json.write(full), parameters);
  }
}
