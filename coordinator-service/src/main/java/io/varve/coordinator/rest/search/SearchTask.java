package io.varve.coordinator.rest.search;

import io.varve.rest.TaskKind;
import io.varve.search.SearchRequest;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Describes searches as tasks. */
final class SearchTask {

  static final String SEARCH = "indices:data/read/search";
  private static final int LONGEST_SOURCE = 2_000;

  private SearchTask() {}

  static TaskKind of(SearchRequest request, SearchOptions searchOptions) {
    return new TaskKind(
        SEARCH,
        indices(searchOptions.where().expression())
            + ", search_type[QUERY_THEN_FETCH], "
            + scroll(searchOptions)
            + "source["
            + source(request.origin().body())
            + "]",
        true);
  }

  private static String scroll(SearchOptions searchOptions) {
    SearchOptions.Scrolling scroll = searchOptions.scroll();
    return scroll == null ? "" : "scroll[" + scroll.keepAlive() + "], ";
  }

  static String indices(@Nullable String expression) {
    return "indices[" + (expression == null ? "" : expression) + "]";
  }

  private static String source(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    return text.length() <= LONGEST_SOURCE ? text : text.substring(0, LONGEST_SOURCE) + "…";
  }
}
