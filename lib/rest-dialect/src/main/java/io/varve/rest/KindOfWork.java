package io.varve.rest;

import java.util.Map;
import java.util.Set;

/**
 * The kind of work under which a node counts a request, derived from the first segment of its path
 * that begins with an underscore.
 */
public final class KindOfWork {

  private static final String OTHER = "management";

  private static final Map<String, String> BY_SEGMENT =
      Map.ofEntries(
          Map.entry("_search", "search"),
          Map.entry("_msearch", "search"),
          Map.entry("_count", "search"),
          Map.entry("_explain", "search"),
          Map.entry("_validate", "search"),
          Map.entry("_bulk", "write"),
          Map.entry("_doc", "write"),
          Map.entry("_create", "write"),
          Map.entry("_update", "write"),
          Map.entry("_source", "get"),
          Map.entry("_mget", "get"),
          Map.entry("_analyze", "analyze"),
          Map.entry("_refresh", "refresh"),
          Map.entry("_flush", "flush"),
          Map.entry("_forcemerge", "force_merge"),
          Map.entry("_reencode", "force_merge"),
          Map.entry("_reindex", "generic"),
          Map.entry("_update_by_query", "generic"),
          Map.entry("_delete_by_query", "generic"));

  /**
   * Kinds of work whose memory depends on the request. Requests that monitor or repair the cluster
   * are never refused.
   */
  private static final Set<String> NEEDS_MEMORY = Set.of("search", "write", "get", "analyze");

  private KindOfWork() {}

  public static boolean needsMemory(String kind) {
    return NEEDS_MEMORY.contains(kind);
  }

  /**
   * @param template the template of a route: {@code /{index}/_search}
   */
  public static String of(RestMethod method, String template) {
    for (String segment : template.split("/")) {
      if (segment.startsWith("_")) {
        boolean reads = method == RestMethod.GET || method == RestMethod.HEAD;
        return segment.equals("_doc") && reads ? "get" : BY_SEGMENT.getOrDefault(segment, OTHER);
      }
    }
    return OTHER;
  }
}
