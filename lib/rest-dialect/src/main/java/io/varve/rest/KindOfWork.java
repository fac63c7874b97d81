package io.varve.rest;

import java.util.Map;
import java.util.Set;

/**
 * Under which of a node's kinds of work a request is counted: what its path asks for, which is the
 * first of its segments with an underscore.
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

  /** Work whose memory a client decides on. What shows or mends the cluster is never refused. */
  private static final Set<String> NEEDS_MEMORY = Set.of("search", "write", "get", "analyze");

  private KindOfWork() {}

  public static boolean needsMemory(String kind) {
    return NEEDS_MEMORY.contains(kind);
  }

  /** {@code template} is that of a route: {@code /{index}/_search}. */
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
