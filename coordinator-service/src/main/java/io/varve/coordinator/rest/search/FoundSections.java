package io.varve.coordinator.rest.search;

import io.varve.coordinator.rest.search.SearchRouter.Found;
import io.varve.events.Json;
import io.varve.search.SearchReducer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sections of a search response that list what each shard answered. */
final class FoundSections {

  private FoundSections() {}

  /** The section {@code profile.shards}. */
  static List<Map<String, Object>> profiles(Found found) {
    List<Map<String, Object>> shards = new ArrayList<>();
    for (SearchReducer.ShardAnswer answer : found.answers()) {
      byte[] profile = answer.result().profile();
      Map<String, Object> shard = new LinkedHashMap<>();
      shard.put("id", "[" + answer.node() + "][" + answer.index() + "][" + answer.shard() + "]");
      shard.put(
          "searches", profile == null ? List.of() : Json.mapper().readValue(profile, List.class));
      shard.put("aggregations", List.of());
      shards.add(shard);
    }
    return shards;
  }

  /** The seq_no up to which each shard showed its writes, by index and number. */
  static Map<String, Map<String, Long>> seqNos(Found found) {
    Map<String, Map<String, Long>> seqNos = new TreeMap<>();
    for (SearchRouter.Answered answered : found.answered()) {
      if (answered.result().equals(PreFilter.NOTHING)) {
        // It was skipped, so no copy was read.
        continue;
      }
      seqNos
          .computeIfAbsent(answered.target().index().name(), _ -> new LinkedHashMap<>())
          .put(Integer.toString(answered.target().number()), answered.result().visibleSeqNo());
    }
    return seqNos;
  }
}
