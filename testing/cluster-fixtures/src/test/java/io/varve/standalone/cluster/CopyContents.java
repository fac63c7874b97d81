package io.varve.standalone.cluster;

import io.varve.standalone.RestCalls;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** The content of one copy of a shard: version, seq_no and source by id. */
final class CopyContents {

  private static final int PAGE = 5_000;

  private CopyContents() {}

  /**
   * Reads a copy.
   *
   * @param copy {@code _primary} or {@code _replica}
   */
  static SortedMap<String, String> read(RestCalls rest, String index, int shard, String copy)
      throws Exception {
    SortedMap<String, String> found = new TreeMap<>();
    String after = "";
    while (true) {
      JsonNode hits =
          rest.call(
                  "POST",
                  "/" + index + "/_search?preference=_shards:" + shard + "%7C" + copy,
                  """
                  {"size":%d,"version":true,"seq_no_primary_term":true,"query":{"match_all":{}},
                   "sort":[{"_seq_no":"asc"}]%s}\
                  """
                      .formatted(PAGE, after))
              .orThrow()
              .json()
              .path("hits")
              .path("hits");
      for (JsonNode hit : hits) {
        found.put(hit.path("_id").asString(), of(hit));
      }
      if (hits.size() < PAGE) {
        return found;
      }
      after = ",\"search_after\":" + hits.get(hits.size() - 1).path("sort");
    }
  }

  /** Version, seq_no and source of a hit. */
  static String of(JsonNode hit) {
    return hit.path("_version") + " " + hit.path("_seq_no") + " " + hit.path("_source");
  }
}
