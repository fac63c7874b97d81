package io.varve.search;

import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.aggregation.pipeline.Pipelines;
import io.varve.search.aggregation.result.BucketLimit;
import io.varve.search.aggregation.result.Finisher;
import io.varve.search.aggregation.result.Results;
import io.varve.search.aggregation.result.Trimming;
import org.jspecify.annotations.Nullable;

/**
 * Takes what the shards found as it arrives, from any thread, and merges it at once: at most one
 * merged result is held, whatever the number of shards.
 */
public final class AggregationReducer {

  private final AggregationTree tree;
  private @Nullable Partials merged;

  public AggregationReducer(AggregationTree tree) {
    this.tree = tree;
  }

  /** Null, of a shard that did not aggregate, adds nothing. */
  public synchronized void add(@Nullable Partials partials) {
    if (partials == null) {
      return;
    }
    Partials before = merged;
    merged = before == null ? partials : Trimming.lossless(tree, before.merge(partials));
  }

  /** The answer, or null when no shard gave anything. */
  public synchronized @Nullable Results finish(int maxBuckets) {
    Partials all = merged;
    return all == null
        ? null
        : Pipelines.apply(tree, new Finisher(new BucketLimit(maxBuckets)).finish(tree, all));
  }
}
