package io.varve.engine.search.aggregation;

import io.varve.engine.fields.NestedDocuments;
import io.varve.search.aggregation.AggregationNode;
import io.varve.search.aggregation.AggregationTree;
import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.partial.MergeMemory;
import io.varve.search.aggregation.partial.Partial;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.aggregation.result.Trimming;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.DocIdStream;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/**
 * Executes a tree of aggregations on one shard. Concurrent slices have separate aggregators, whose
 * results are merged like those of shards; the shard's truncation is applied after that.
 */
public final class AggregationSearch {

  /** Searches with a collector manager, within the search's limits. */
  public interface Collecting {
    <C extends Collector, T> T collect(Query query, CollectorManager<C, T> manager)
        throws IOException;
  }

  private final AggregationContext context;
  private final AggregatorFactory factory;
  private final MergeMemory mergeMemory;
  private final boolean sliced;

  public AggregationSearch(AggregationContext context) {
    this.sliced = context.searcher().getSlices().length > 1;
    this.context = context.sliced(sliced);
    this.factory = new AggregatorFactory(this.context);
    this.mergeMemory = (bytes, merge) -> charged(context.memory(), bytes, merge);
  }

  private static byte[] charged(MemoryAccount memory, long bytes, Supplier<byte[]> merge) {
    return memory.allocate(
        bytes,
        () -> {
          try {
            return merge.get();
          } finally {
            memory.charge(-bytes);
          }
        });
  }

  /** Aggregates the documents that match the context's query. */
  public Partials run(AggregationTree tree, Collecting collecting) throws IOException {
    List<AggregationNode> global = new ArrayList<>();
    List<AggregationNode> matching = new ArrayList<>();
    for (AggregationNode node : tree.collected()) {
      (node.aggregation() instanceof BucketAggregation.Global ? global : matching).add(node);
    }
    Map<String, Partial> found = new HashMap<>();
    run(matching, context.query(), collecting, found);
    Query all =
        NestedDocuments.mayBeIn(context.mapping())
            ? NestedDocuments.roots()
            : MatchAllDocsQuery.INSTANCE;
    run(global, all, collecting, found);
    return new Partials(tree.collected().stream().map(node -> found.get(node.name())).toList());
  }

  private void run(
      List<AggregationNode> nodes, Query query, Collecting collecting, Map<String, Partial> into)
      throws IOException {
    if (nodes.isEmpty()) {
      return;
    }
    AggregationTree tree = new AggregationTree(nodes, List.of());
    boolean whole = context.traversal().everyDocument();
    LeafMatch match = whole ? LeafMatch.of(context.searcher().rewrite(query)) : null;
    Partials partials = collecting.collect(query, new Manager(tree, whole, match));
    for (int i = 0; i < nodes.size(); i++) {
      into.put(nodes.get(i).name(), partials.list().get(i));
    }
  }

  private final class Manager implements CollectorManager<Slice, Partials> {
    private final AggregationTree tree;
    private final boolean whole;
    private final @Nullable LeafMatch match;

    Manager(AggregationTree tree, boolean whole, @Nullable LeafMatch match) {
      this.tree = tree;
      this.whole = whole;
      this.match = match;
    }

    @Override
    public Slice newCollector() throws IOException {
      return new Slice(factory.children(tree), whole, match);
    }

    @Override
    public Partials reduce(Collection<Slice> slices) throws IOException {
      Partials merged = Partials.NONE;
      for (Slice slice : slices) {
        Partials before = merged;
        Partials next = slice.aggregators.build(0);
        merged = mergeMemory.bound(() -> before.merge(next));
      }
      return sliced ? Trimming.ofShard(tree, merged) : merged;
    }
  }

  /** Passes on documents individually, while the scorer is positioned on them. */
  private record Scored(LeafBuckets buckets) implements LeafCollector {
    @Override
    public void setScorer(Scorable scorer) throws IOException {
      buckets.scorer(scorer);
    }

    @Override
    public void collect(int doc) throws IOException {
      buckets.collect(doc, 0);
    }

    @Override
    public void finish() throws IOException {
      buckets.finish();
    }
  }

  /** Passes on documents in batches, all in bucket 0. */
  private static final class Batched implements LeafCollector {
    private final LeafBuckets buckets;
    private final int[] docs = new int[LeafBuckets.BATCH];
    private final int[] zeros = new int[LeafBuckets.BATCH];
    private int size;

    Batched(LeafBuckets buckets) {
      this.buckets = buckets;
    }

    @Override
    public void setScorer(Scorable scorer) {
      // No scores are needed.
    }

    @Override
    public void collect(int doc) throws IOException {
      docs[size++] = doc;
      if (size == docs.length) {
        flush();
      }
    }

    @Override
    public void collect(DocIdStream stream) throws IOException {
      flush();
      for (int count = stream.intoArray(docs); count > 0; count = stream.intoArray(docs)) {
        buckets.collectAll(docs, zeros, count);
      }
    }

    private void flush() throws IOException {
      int count = size;
      size = 0;
      buckets.collectAll(docs, zeros, count);
    }

    @Override
    public void finish() throws IOException {
      flush();
      buckets.finish();
    }
  }

  private static final class Slice implements Collector {
    private final Children aggregators;
    private final boolean whole;
    private final @Nullable LeafMatch match;
    private @Nullable Weight weight;

    /**
     * @param whole whether segments may be counted as a whole
     */
    Slice(Children aggregators, boolean whole, @Nullable LeafMatch match) {
      this.aggregators = aggregators;
      this.whole = whole;
      this.match = match;
    }

    @Override
    public void setWeight(Weight newWeight) {
      weight = newWeight;
    }

    private @Nullable LeafMatch match(LeafReaderContext leaf) throws IOException {
      Weight ofQuery = weight;
      return whole && ofQuery != null && ofQuery.count(leaf) == leaf.reader().maxDoc()
          ? new LeafMatch.All()
          : match;
    }

    @Override
    public LeafCollector getLeafCollector(LeafReaderContext leaf) throws IOException {
      LeafBuckets buckets = aggregators.remaining(leaf, match(leaf));
      if (buckets == null) {
        throw new CollectionTerminatedException();
      }
      return aggregators.needScores() ? new Scored(buckets) : new Batched(buckets);
    }

    @Override
    public ScoreMode scoreMode() {
      return aggregators.needScores() ? ScoreMode.COMPLETE : ScoreMode.COMPLETE_NO_SCORES;
    }
  }
}
