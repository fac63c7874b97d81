package io.varve.engine.search;

import io.varve.search.SearchRequest;
import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.MetricAggregation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.IndexSearcher.LeafReaderContextPartition;
import org.apache.lucene.search.IndexSearcher.LeafSlice;

/**
 * Decides into how many concurrent slices a shard search is divided.
 *
 * <ul>
 *   <li>{@code none}: always one.
 *   <li>{@code all}: the maximum.
 *   <li>{@code auto}: the maximum if the search aggregates and no other search runs on the node: a
 *       single search is then faster; concurrent searches already keep the processors busy.
 * </ul>
 *
 * <p>The result is the same in each case. A search whose result depends on the order in which
 * documents are visited has one slice.
 */
public final class SearchSlices {

  /** Slicing mode. */
  public enum Mode {
    NONE,
    AUTO,
    ALL
  }

  public static final String MODE = "search.concurrent_segment_search.mode";
  public static final String MOST = "search.concurrent.max_slice_count";

  /** Lucene's default, used if no number is given. */
  private static final int MOST_DOCUMENTS = 250_000;

  private static final int MOST_SEGMENTS = 5;

  private final Executor executor;
  private final Supplier<String> mode;
  private final IntSupplier most;
  private final AtomicInteger running = new AtomicInteger();

  /**
   * @param executor runs slices; a slice that it rejects runs on the searching thread
   * @param mode default for indices that set none
   * @param most default maximum for indices that set none; 0 for Lucene's own slicing
   */
  public SearchSlices(Executor executor, Supplier<String> mode, IntSupplier most) {
    this.executor = executor;
    this.mode = mode;
    this.most = most;
  }

  /** Always one slice. */
  public static SearchSlices none() {
    return new SearchSlices(Runnable::run, () -> "none", () -> 1);
  }

  /** One slice per two processors, at most four. */
  public static int usualMost(int processors) {
    return Math.max(1, Math.min(processors / 2, 4));
  }

  /** A running search. */
  interface Running extends AutoCloseable {
    @Override
    void close();
  }

  Running begin() {
    running.incrementAndGet();
    return running::decrementAndGet;
  }

  /** The slicing of a search. */
  Slicing of(IndexView index, SearchRequest request) {
    String ownMode = index.settings().getOrDefault("index." + MODE, mode.get());
    int slices = index.number("index." + MOST, most.getAsInt());
    boolean wanted =
        switch (Mode.valueOf(ownMode.toUpperCase(Locale.ROOT))) {
          case NONE -> false;
          case ALL -> true;
          case AUTO -> !request.aggregations().isEmpty() && running.get() <= 1;
        };
    return wanted && slices != 1 && isAlike(request) ? new Slicing(executor, slices) : Slicing.NONE;
  }

  private static boolean isAlike(SearchRequest request) {
    return request.limits().minScore() == null
        && request.limits().terminateAfter() == 0
        && !request.ranking().profile()
        // Groups of hits are found by one collector that visits all documents.
        && request.ranking().collapse() == null
        && isAlike(request.aggregations().tree());
  }

  private static boolean isAlike(AggregationTree tree) {
    for (AggregationNode node : tree.collected()) {
      boolean alike =
          switch (node.aggregation()) {
            // Sampling selects among all documents of the shard.
            case BucketAggregation.Sampler s -> false;
            case BucketAggregation.DiversifiedSampler s -> false;
            case BucketAggregation.SignificantTerms s -> false;
            case BucketAggregation.SignificantText s -> false;
            // It fetches the hits of every bucket built, and slices build them all.
            case MetricAggregation.TopHits t -> false;
            // A digest depends on the order in which it receives numbers.
            case MetricAggregation.MedianAbsoluteDeviation m -> false;
            case MetricAggregation.Percentiles p ->
                p.digest() instanceof MetricAggregation.Digest.Hdr;
            case MetricAggregation.PercentileRanks p ->
                p.digest() instanceof MetricAggregation.Digest.Hdr;
            default -> true;
          };
      if (!alike || !isAlike(node.children())) {
        return false;
      }
    }
    return true;
  }

  /**
   * @param most maximum number of slices; 0 for Lucene's own slicing
   */
  record Slicing(Executor executor, int most) {

    static final Slicing NONE = new Slicing(Runnable::run, 1);

    boolean isOne() {
      return most == 1;
    }

    /** Assigns segments, largest first, to the slice with the fewest documents. */
    LeafSlice[] slices(List<LeafReaderContext> leaves) {
      if (most == 0) {
        return IndexSearcher.slices(leaves, MOST_DOCUMENTS, MOST_SEGMENTS, false);
      }
      List<LeafReaderContext> largestFirst = new ArrayList<>(leaves);
      largestFirst.sort(
          Comparator.comparingInt((LeafReaderContext leaf) -> -leaf.reader().maxDoc())
              .thenComparingInt(leaf -> leaf.ord));
      int count = Math.min(most, leaves.size());
      List<List<LeafReaderContextPartition>> slices = new ArrayList<>();
      long[] sizes = new long[count];
      for (int i = 0; i < count; i++) {
        slices.add(new ArrayList<>());
      }
      for (LeafReaderContext leaf : largestFirst) {
        int least = 0;
        for (int i = 1; i < count; i++) {
          least = sizes[i] < sizes[least] ? i : least;
        }
        sizes[least] += leaf.reader().maxDoc();
        slices.get(least).add(LeafReaderContextPartition.createForEntireSegment(leaf));
      }
      return slices.stream().map(LeafSlice::new).toArray(LeafSlice[]::new);
    }
  }
}
