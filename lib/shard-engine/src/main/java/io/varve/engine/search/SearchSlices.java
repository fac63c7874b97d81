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
 * Decides in how many slices, looked at at the same time, a shard is searched.
 *
 * <ul>
 *   <li>{@code none}: one, always.
 *   <li>{@code all}: as many as may be.
 *   <li>{@code auto}: as many as may be where a search aggregates and no other search runs on the
 *       node: a search alone is faster then, and searches beside each other, which keep the
 *       processors busy anyway, lose nothing.
 * </ul>
 *
 * <p>Whatever was decided, the answer is the same. So a search whose answer hangs on the order in
 * which documents are seen has one slice.
 */
public final class SearchSlices {

  /** When a shard is searched in slices. */
  public enum Mode {
    NONE,
    AUTO,
    ALL
  }

  public static final String MODE = "search.concurrent_segment_search.mode";
  public static final String MOST = "search.concurrent.max_slice_count";

  /** As Lucene slices by itself, where no number is given. */
  private static final int MOST_DOCUMENTS = 250_000;

  private static final int MOST_SEGMENTS = 5;

  private final Executor executor;
  private final Supplier<String> mode;
  private final IntSupplier most;
  private final AtomicInteger running = new AtomicInteger();

  /**
   * @param executor runs slices; one that refuses leaves them to the thread of the search
   * @param mode where an index has none of its own
   * @param most slices, where an index has no number of its own; 0 for as Lucene would
   */
  public SearchSlices(Executor executor, Supplier<String> mode, IntSupplier most) {
    this.executor = executor;
    this.mode = mode;
    this.most = most;
  }

  /** One slice, whatever is searched. */
  public static SearchSlices none() {
    return new SearchSlices(Runnable::run, () -> "none", () -> 1);
  }

  /** A slice for each two processors, four at most. */
  public static int usualMost(int processors) {
    return Math.max(1, Math.min(processors / 2, 4));
  }

  /** A search while it runs. */
  interface Running extends AutoCloseable {
    @Override
    void close();
  }

  Running begin() {
    running.incrementAndGet();
    return running::decrementAndGet;
  }

  /** How a search's segments are sliced. */
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
        // Groups of hits are found by one collector, which sees all documents.
        && request.ranking().collapse() == null
        && isAlike(request.aggregations().tree());
  }

  private static boolean isAlike(AggregationTree tree) {
    for (AggregationNode node : tree.collected()) {
      boolean alike =
          switch (node.aggregation()) {
            // They choose among all documents of the shard.
            case BucketAggregation.Sampler s -> false;
            case BucketAggregation.DiversifiedSampler s -> false;
            case BucketAggregation.SignificantTerms s -> false;
            case BucketAggregation.SignificantText s -> false;
            // It reads the hits of each bucket that is built, and slices build them all.
            case MetricAggregation.TopHits t -> false;
            // What a digest keeps follows from the order in which it sees numbers.
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
   * How segments are put together.
   *
   * @param most slices; 0 for as Lucene would
   */
  record Slicing(Executor executor, int most) {

    static final Slicing NONE = new Slicing(Runnable::run, 1);

    boolean isOne() {
      return most == 1;
    }

    /** The largest segment first, each to the slice that has the least so far. */
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
