package io.varve.coordinator.rest.search;

import io.varve.events.Json;
import io.varve.process.Parallel;
import io.varve.search.SearchReducer.Reduced;
import io.varve.search.SearchRequest;
import io.varve.search.hits.HitsWriter;
import io.varve.search.hits.IndexHit;
import io.varve.search.hits.ShardHit;
import io.varve.search.query.Collapse;
import io.varve.search.query.InnerHits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes the inner hits of a collapsed search: for each hit, runs the same query within the hit's
 * group, with the order and the fields that the inner hits define.
 */
final class GroupSearches {

  /** Runs a search on the targets of the collapsed search. */
  @FunctionalInterface
  interface RepeatedSearch {
    Reduced search(SearchRequest request) throws InterruptedException;
  }

  private final Parallel parallel;

  GroupSearches(Parallel parallel) {
    this.parallel = parallel;
  }

  Reduced filled(SearchRequest request, Reduced reduced, RepeatedSearch again)
      throws InterruptedException {
    Collapse collapse = request.ranking().collapse();
    if (collapse == null || collapse.innerHits().isEmpty() || reduced.hits().isEmpty()) {
      return reduced;
    }
    List<Map<String, Object>> bodies = innerBodies(request);
    List<IndexHit> hits =
        parallel.map(
            reduced.hits(),
            hit -> hit.withParts(List.of(innerHits(request, collapse, bodies, hit, again))));
    return reduced.withHits(hits);
  }

  private static ShardHit.Part innerHits(
      SearchRequest request,
      Collapse collapse,
      List<Map<String, Object>> bodies,
      IndexHit hit,
      RepeatedSearch again)
      throws InterruptedException {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    try {
      json.write('{');
      for (int i = 0; i < bodies.size(); i++) {
        InnerHits inner = collapse.innerHits().get(i);
        SearchRequest within =
            within(request, collapse.field(), bodies.get(i), hit.hit().extras().group());
        String name = inner.name() == null ? collapse.field() : inner.name();
        json.write((i == 0 ? "" : ",").getBytes(StandardCharsets.UTF_8));
        json.write(Json.write(name));
        json.write(":{\"hits\":".getBytes(StandardCharsets.UTF_8));
        new HitsWriter(within.hits(), request.totalsAsNumbers())
            .write(again.search(within).found(), json);
        json.write('}');
      }
      json.write('}');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ShardHit.Part("inner_hits", json.toByteArray());
  }

  /** Returns the definitions of inner hits in the request. */
  private static List<Map<String, Object>> innerBodies(SearchRequest request) {
    Map<String, Object> collapse = map(body(request).get("collapse"));
    List<Map<String, Object>> bodies = new ArrayList<>();
    Object inner = collapse.get("inner_hits");
    if (inner instanceof List<?> list) {
      list.forEach(one -> bodies.add(map(one)));
    } else {
      bodies.add(map(inner));
    }
    return bodies;
  }

  private static Map<String, Object> body(SearchRequest request) {
    byte[] body = request.origin().body();
    return body.length == 0 ? Map.of() : map(Json.mapper().readValue(body, Map.class));
  }

  @SuppressWarnings("unchecked") // JSON objects have strings as keys.
  private static Map<String, Object> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  private static SearchRequest within(
      SearchRequest request, String field, Map<String, Object> inner, @Nullable Object group) {
    Map<String, Object> outer = body(request);
    Map<String, Object> body = new LinkedHashMap<>(inner);
    body.keySet().removeAll(List.of("name", "ignore_unmapped"));
    body.putIfAbsent("size", 3);
    body.putIfAbsent("track_total_hits", true);
    Map<String, Object> bool = new LinkedHashMap<>();
    bool.put("must", List.of(query(request, outer)));
    if (group == null) {
      bool.put("must_not", List.of(Map.of("exists", Map.of("field", field))));
    } else {
      bool.put("filter", List.of(Map.of("term", Map.of(field, Map.of("value", plain(group))))));
    }
    body.put("query", Map.of("bool", bool));
    if (outer.containsKey("post_filter")) {
      body.put("post_filter", outer.get("post_filter"));
    }
    return SearchRequest.parse(Json.write(body), Map.of());
  }

  private static Object plain(Object group) {
    return group instanceof InetAddress address ? address.getHostAddress() : group;
  }

  private static Object query(SearchRequest request, Map<String, Object> outer) {
    Map<String, String> parameters = request.origin().parameters();
    String text = parameters.get("q");
    if (text == null) {
      return outer.getOrDefault("query", Map.of("match_all", Map.of()));
    }
    Map<String, Object> string = new LinkedHashMap<>();
    string.put("query", text);
    String field = parameters.get("df");
    if (field != null) {
      string.put("default_field", field);
    }
    string.put("default_operator", parameters.getOrDefault("default_operator", "or"));
    return Map.of("query_string", string);
  }
}
