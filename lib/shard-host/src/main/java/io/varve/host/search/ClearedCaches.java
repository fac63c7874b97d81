package io.varve.host.search;

import io.varve.search.source.NamePattern;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;

/**
 * The caches of a copy to clear: {@code query}, {@code request} and {@code fielddata}; fielddata of
 * all fields, or only of those in {@code fields}.
 */
record ClearedCaches(boolean query, boolean request, boolean fielddata, List<String> fields) {

  ClearedCaches {
    fields = List.copyOf(fields);
  }

  static ClearedCaches of(HttpServletRequest request) {
    String fields = request.getParameter("fields");
    return new ClearedCaches(
        has(request, "query"),
        has(request, "request"),
        has(request, "fielddata"),
        fields == null ? List.of() : List.of(fields.split(",", -1)));
  }

  private static boolean has(HttpServletRequest request, String name) {
    return request.getParameter(name) != null;
  }

  boolean meansField(String name) {
    return fields.isEmpty()
        || fields.stream().anyMatch(pattern -> new NamePattern(pattern).matches(name));
  }
}
