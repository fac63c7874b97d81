package io.varve.engine.search;

import io.varve.events.Json;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.FilterWeight;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/**
 * Profiles one search on one shard by timing each part of its query. The time of a part includes
 * its children. Used by one thread.
 */
final class SearchProfile {

  /** Timed steps of a query. */
  enum Step {
    CREATE_WEIGHT,
    BUILD_SCORER,
    NEXT_DOC,
    ADVANCE,
    SHALLOW_ADVANCE,
    MATCH,
    SCORE,
    COMPUTE_MAX_SCORE,
    SET_MIN_COMPETITIVE_SCORE
  }

  @FunctionalInterface
  interface Creating {
    Weight create() throws IOException;
  }

  /** A step that returns a number. */
  @FunctionalInterface
  interface Counting {
    int count() throws IOException;
  }

  private static final class Timing {
    long nanos;
    long count;
  }

  static final class Node {
    final Query query;
    private final Map<Step, Timing> timings = new EnumMap<>(Step.class);
    final List<Node> children = new ArrayList<>();

    Node(Query query) {
      this.query = query;
    }

    void add(Step step, long began) {
      Timing timing = timing(step);
      timing.nanos += System.nanoTime() - began;
      timing.count++;
    }

    int timed(Step step, Counting counting) throws IOException {
      long began = System.nanoTime();
      int count = counting.count();
      add(step, began);
      return count;
    }

    private Timing timing(Step step) {
      return timings.computeIfAbsent(step, _ -> new Timing());
    }

    long totalNanos() {
      return timings.values().stream().mapToLong(timing -> timing.nanos).sum();
    }

    Map<String, Object> map() {
      Map<String, Object> breakdown = new LinkedHashMap<>();
      for (Step step : Step.values()) {
        String name = step.name().toLowerCase(Locale.ROOT);
        breakdown.put(name, timing(step).nanos);
        breakdown.put(name + "_count", timing(step).count);
      }
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("type", query.getClass().getSimpleName());
      map.put("description", query.toString());
      map.put("time_in_nanos", totalNanos());
      map.put("breakdown", breakdown);
      if (!children.isEmpty()) {
        map.put("children", children.stream().map(Node::map).toList());
      }
      return map;
    }
  }

  private final List<Node> roots = new ArrayList<>();
  private final Deque<Node> open = new ArrayDeque<>();
  private long rewriteNanos;

  void rewrote(long nanos) {
    rewriteNanos += nanos;
  }

  Weight weight(Query query, Creating creating) throws IOException {
    Node node = new Node(query);
    Node parent = open.peek();
    if (parent == null) {
      roots.add(node);
    } else {
      parent.children.add(node);
    }
    open.push(node);
    long began = System.nanoTime();
    try {
      return new Timed(creating.create(), node);
    } finally {
      node.add(Step.CREATE_WEIGHT, began);
      open.pop();
    }
  }

  /** The value of {@code searches} in one shard's response. */
  byte[] json(long totalNanos) {
    Map<String, Object> collector = new LinkedHashMap<>();
    long queries = roots.stream().mapToLong(Node::totalNanos).sum();
    collector.put("name", "HitFinder");
    collector.put("reason", "search_top_hits");
    collector.put("time_in_nanos", Math.max(0, totalNanos - queries - rewriteNanos));
    Map<String, Object> search = new LinkedHashMap<>();
    search.put("query", roots.stream().map(Node::map).toList());
    search.put("rewrite_time", rewriteNanos);
    search.put("collector", List.of(collector));
    return Json.write(List.of(search));
  }

  private static final class Timed extends FilterWeight {
    private final Node node;

    Timed(Weight in, Node node) {
      super(in);
      this.node = node;
    }

    @Override
    public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
      long began = System.nanoTime();
      ScorerSupplier supplier = in.scorerSupplier(leaf);
      node.add(Step.BUILD_SCORER, began);
      if (supplier == null) {
        return null;
      }
      return new ScorerSupplier() {
        @Override
        public Scorer get(long leadCost) throws IOException {
          long start = System.nanoTime();
          Scorer scorer = supplier.get(leadCost);
          node.add(Step.BUILD_SCORER, start);
          return new TimedScorer(scorer, node);
        }

        @Override
        public long cost() {
          return supplier.cost();
        }

        @Override
        public void setTopLevelScoringClause() throws IOException {
          supplier.setTopLevelScoringClause();
        }
      };
    }

    @Override
    public boolean isCacheable(LeafReaderContext leaf) {
      return false;
    }
  }
}
