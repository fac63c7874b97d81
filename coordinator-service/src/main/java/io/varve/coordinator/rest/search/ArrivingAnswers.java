package io.varve.coordinator.rest.search;

import io.varve.memory.ParentBreaker;
import io.varve.search.AggregationReducer;
import io.varve.search.SearchReducer;
import io.varve.search.SearchReducer.Reduced;
import io.varve.search.SearchReducer.ShardAnswer;
import io.varve.search.SearchRequest;
import io.varve.search.ShardSearchResult;
import io.varve.search.aggregation.partial.Partials;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reduces the aggregations of shards in batches as they arrive, so that the memory for answers is
 * bounded by the batch size, regardless of the number of shards. A full batch is reduced when the
 * next answer arrives, and the result counts as one answer of the next batch.
 */
final class ArrivingAnswers {

  private static final String LABEL = "<reduce_aggs>";

  private final SearchRequest request;
  private final @Nullable AggregationReducer reducer;
  private final int batch;
  private final ParentBreaker memory;
  private final List<Partials> waiting = new ArrayList<>();
  private int waitingAnswers;
  private long waitingBytes;
  private int merges;

  /**
   * @param batch the number of answers that are reduced together
   * @param memory rejects a reduction while the heap is full
   */
  ArrivingAnswers(SearchRequest request, int batch, ParentBreaker memory) {
    this.request = request;
    this.batch = batch;
    this.memory = memory;
    this.reducer =
        request.aggregations().isEmpty()
            ? null
            : new AggregationReducer(
                request.aggregations().tree(),
                (bytes, merge) -> memory.charged(bytes, LABEL, merge));
  }

  /** Adds an answer. This object takes over its aggregations; returns the answer without them. */
  synchronized ShardSearchResult add(ShardSearchResult result) {
    if (waitingAnswers + (merges > 0 ? 1 : 0) >= batch) {
      merge();
    }
    waitingAnswers++;
    Partials partials = result.aggregations();
    if (reducer == null || partials == null) {
      return result;
    }
    waiting.add(partials);
    waitingBytes += result.extras().aggregationsBytes();
    return result.aggregated(null);
  }

  private void merge() {
    if (reducer != null) {
      memory.check(waitingBytes * ShardAnswers.OBJECTS_FACTOR, LABEL);
      waiting.forEach(reducer::add);
    }
    waiting.clear();
    waitingAnswers = 0;
    waitingBytes = 0;
    merges++;
  }

  /** Reduces all answers, including the aggregations that were added. */
  synchronized Reduced reduced(List<ShardAnswer> answers, int maxBuckets) {
    merge();
    return SearchReducer.reduce(request, answers, reducer, maxBuckets);
  }

  /** Returns the number of reductions so far. */
  synchronized int merges() {
    return merges;
  }
}
