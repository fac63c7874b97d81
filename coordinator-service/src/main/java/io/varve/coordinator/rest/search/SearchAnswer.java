package io.varve.coordinator.rest.search;

import io.varve.search.SearchReducer;
import io.varve.search.SearchRequest;
import io.varve.search.SearchResponseWriter;
import io.varve.search.ShardFailure;
import io.varve.search.hits.IndexHit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a search before it is written as JSON.
 *
 * @param head the fields before all others
 * @param tail the fields after all others
 */
record SearchAnswer(
    SearchRequest request,
    SearchReducer.Reduced reduced,
    SearchResponseWriter.Shards shards,
    long tookMillis,
    Map<String, Object> head,
    Map<String, Object> tail) {

  SearchAnswer(
      SearchRequest request,
      SearchReducer.Reduced reduced,
      SearchResponseWriter.Shards shards,
      long tookMillis,
      Map<String, Object> head) {
    this(request, reduced, shards, tookMillis, head, Map.of());
  }

  SearchAnswer with(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(head);
    more.put(name, value);
    return new SearchAnswer(request, reduced, shards, tookMillis, more, tail);
  }

  SearchAnswer behind(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(tail);
    more.put(name, value);
    return new SearchAnswer(request, reduced, shards, tookMillis, head, more);
  }

  SearchAnswer withHits(List<IndexHit> hits) {
    return new SearchAnswer(request, reduced.withHits(hits), shards, tookMillis, head, tail);
  }

  /** Returns this answer with additional shards, all of which failed. */
  SearchAnswer without(List<ShardFailure> missing) {
    if (missing.isEmpty()) {
      return this;
    }
    List<ShardFailure> failures = new ArrayList<>(shards.failures());
    failures.addAll(missing);
    SearchResponseWriter.Shards all =
        new SearchResponseWriter.Shards(
            shards.total() + missing.size(), shards.skipped(), failures, shards.visibleSeqNos());
    return new SearchAnswer(request, reduced, all, tookMillis, head, tail);
  }

  /** Returns this answer with the time elapsed since {@code beganNanos}. */
  SearchAnswer took(long beganNanos) {
    return new SearchAnswer(
        request, reduced, shards, (System.nanoTime() - beganNanos) / 1_000_000, head, tail);
  }

  byte[] json(boolean totalAsNumber) {
    return json(totalAsNumber, false);
  }

  /**
   * @param typedKeys whether the names of aggregations are written as {@code type#name}
   */
  byte[] json(boolean totalAsNumber, boolean typedKeys) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(4096);
    write(totalAsNumber, typedKeys, out);
    return out.toByteArray();
  }

  void write(boolean totalAsNumber, boolean typedKeys, ByteArrayOutputStream out) {
    SearchResponseWriter writer = new SearchResponseWriter(request, totalAsNumber, typedKeys);
    head.forEach(writer::first);
    tail.forEach(writer::last);
    try {
      writer.write(reduced, shards, tookMillis, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
