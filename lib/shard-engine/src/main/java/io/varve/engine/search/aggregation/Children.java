package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.partial.Partial;
import io.varve.search.aggregation.partial.Partials;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Scorable;
import org.jspecify.annotations.Nullable;

/** The sub-aggregations of an aggregation, or the top level; each receives every document. */
final class Children {

  /** Size of a bucket's result: its key, its count, and its list of sub-results. */
  private static final long BUCKET_BYTES = 128;

  /** Size of one sub-result. */
  private static final long PARTIAL_BYTES = 64;

  private final Aggregator[] list;
  private final MemoryAccount memory;
  private @Nullable Partials empty;

  Children(List<Aggregator> list, MemoryAccount memory) {
    this.list = list.toArray(Aggregator[]::new);
    this.memory = memory;
  }

  boolean isEmpty() {
    return list.length == 0;
  }

  boolean needScores() {
    for (Aggregator aggregator : list) {
      if (aggregator.needsScores()) {
        return true;
      }
    }
    return false;
  }

  LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    if (list.length == 0) {
      return LeafBuckets.NONE;
    }
    if (list.length == 1) {
      return list[0].leaf(leaf);
    }
    LeafBuckets[] leaves = new LeafBuckets[list.length];
    for (int i = 0; i < leaves.length; i++) {
      leaves[i] = list[i].leaf(leaf);
    }
    return new Several(leaves);
  }

  /**
   * The leaf collectors of the aggregations that can't count the segment as a whole; null if all
   * can.
   */
  @Nullable LeafBuckets remaining(LeafReaderContext leaf, @Nullable LeafMatch match)
      throws IOException {
    if (match == null) {
      return leaf(leaf);
    }
    List<LeafBuckets> leaves = new ArrayList<>();
    for (Aggregator aggregator : list) {
      if (!aggregator.countWhole(leaf, match)) {
        leaves.add(aggregator.leaf(leaf));
      }
    }
    return switch (leaves.size()) {
      case 0 -> null;
      case 1 -> leaves.getFirst();
      default -> new Several(leaves.toArray(LeafBuckets[]::new));
    };
  }

  /**
   * Builds the result of a bucket and charges its memory, since many results take more memory than
   * their counters.
   */
  Partials build(int bucket) throws IOException {
    memory.charge(BUCKET_BYTES + list.length * PARTIAL_BYTES);
    if (list.length == 0) {
      return Partials.NONE;
    }
    List<Partial> partials = new ArrayList<>(list.length);
    for (Aggregator aggregator : list) {
      partials.add(aggregator.build(bucket));
    }
    return new Partials(partials);
  }

  Partials empty() {
    Partials known = empty;
    if (known == null) {
      List<Partial> partials = new ArrayList<>(list.length);
      for (Aggregator aggregator : list) {
        partials.add(aggregator.empty());
      }
      known = new Partials(partials);
      empty = known;
    }
    return known;
  }

  private static final class Several implements LeafBuckets {
    private final LeafBuckets[] leaves;

    Several(LeafBuckets[] leaves) {
      this.leaves = leaves;
    }

    @Override
    public void collect(int doc, int bucket) throws IOException {
      for (LeafBuckets leaf : leaves) {
        leaf.collect(doc, bucket);
      }
    }

    @Override
    public void collectAll(int[] docs, int[] buckets, int size) throws IOException {
      for (LeafBuckets leaf : leaves) {
        leaf.collectAll(docs, buckets, size);
      }
    }

    @Override
    public void scorer(Scorable scorer) throws IOException {
      for (LeafBuckets leaf : leaves) {
        leaf.scorer(scorer);
      }
    }

    @Override
    public void finish() throws IOException {
      for (LeafBuckets leaf : leaves) {
        leaf.finish();
      }
    }
  }
}
