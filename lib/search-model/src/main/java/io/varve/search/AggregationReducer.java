package io.varve.search;

import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.partial.MergeMemory;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.aggregation.pipeline.Pipelines;
import io.varve.search.aggregation.result.BucketLimit;
import io.varve.search.aggregation.result.Finisher;
import io.varve.search.aggregation.result.Results;
import io.varve.search.aggregation.result.Trimming;
import org.jspecify.annotations.Nullable;

/**
 * Merges the partial aggregations of shards as they arrive, from any thread. It holds only the
 * merged result, regardless of the number of shards.
 */
public final class AggregationReducer {

  private final AggregationTree tree;
  private final MergeMemory memory;
  private @Nullable Partials merged;

  public AggregationReducer(AggregationTree tree) {
    this(tree, MergeMemory.UNLIMITED);
  }

  public AggregationReducer(AggregationTree tree, MergeMemory memory) {
    this.tree = tree;
    this.memory = memory;
  }

  /** Adds the aggregations of a shard; null, from a shard that did not aggregate, is ignored. */
  public synchronized void add(@Nullable Partials partials) {
    if (partials == null) {
      return;
    }
    Partials before = merged;
    merged =
        before == null
            ? partials
            : memory.bound(() -> Trimming.lossless(tree, before.merge(partials)));
  }

  /** The final aggregations, or null when no shard had a result. */
  public synchronized @Nullable Results finish(int maxBuckets) {
    Partials all = merged;
    return all == null ? null : memory.bound(() -> finished(all, maxBuckets));
  }

  private Results finished(Partials all, int maxBuckets) {
    return Pipelines.apply(tree, new Finisher(new BucketLimit(maxBuckets)).finish(tree, all));
  }
}
