package io.varve.load.simulation;

import java.util.Objects;

/**
 * One search of a workload.
 *
 * @param name the operation's name in the workload
 * @param parameters of the URL, with the question mark; empty for none
 * @param body of the request
 * @param pages pages of a scroll, 1 for a search without one
 */
record Search(String name, String parameters, String body, int pages) {

  Search {
    Objects.requireNonNull(name, "name");
    if (pages < 1) {
      throw new IllegalArgumentException("pages must be >= 1, was " + pages);
    }
  }

  static Search of(String name, String body) {
    return new Search(name, "", body, 1);
  }

  /** A search without hits: aggregations. */
  static Search aggregation(String name, String query, String aggregation) {
    return of(
        name, "{\"size\":0,\"query\":" + query + ",\"aggs\":{\"result\":" + aggregation + "}}");
  }

  static Search query(String name, String query) {
    return of(name, "{\"query\":" + query + "}");
  }

  static Search sorted(String field, String order) {
    return of(
        order + "_sort_" + field.replace("@", ""),
        "{\"query\":{\"match_all\":{}},\"sort\":[{\"" + field + "\":\"" + order + "\"}]}");
  }

  static Search scroll(int pages, int size) {
    return new Search(
        "scroll", "?scroll=10s&sort=_doc&size=" + size, "{\"query\":{\"match_all\":{}}}", pages);
  }
}
