package io.varve.engine.search.aggregation;

import io.varve.engine.search.aggregation.Sample.Seen;
import io.varve.search.aggregation.format.BytesKey;
import io.varve.search.aggregation.partial.SinglePartial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates a sample of each bucket's documents. The sample is complete only after the last
 * document, so the sub-aggregations receive it when the first bucket is built.
 */
final class SamplerAggregator implements Aggregator {

  /** A document of the sample with its bucket. */
  private record Chosen(int group, Seen seen) {}

  /** The value by which samples are diversified. */
  private interface Values {
    @Nullable Object of(int doc) throws IOException;
  }

  private final Sample sample;
  private final @Nullable FieldValues values;
  private final Children children;
  private final AggregationContext context;
  private final ObjectCells<Sample.Group> groups;
  private final LongCells counts;
  private boolean replayed;

  SamplerAggregator(
      Sample sample, @Nullable FieldValues values, Children children, AggregationContext context) {
    this.sample = sample;
    this.values = values;
    this.children = children;
    this.context = context;
    this.groups = new ObjectCells<>(context.memory());
    this.counts = new LongCells(context.memory());
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    Values ofDocuments = values(leaf);
    return new LeafBuckets() {
      private @Nullable Scorable scorer;

      @Override
      public void scorer(Scorable newScorer) {
        scorer = newScorer;
      }

      @Override
      public void collect(int doc, int bucket) throws IOException {
        float score = scorer == null ? 0 : scorer.score();
        group(bucket).add(new Seen(leaf.docBase + doc, score), ofDocuments.of(doc));
      }
    };
  }

  private Sample.Group group(int bucket) {
    Sample.Group group = groups.get(bucket);
    if (group == null) {
      group = sample.group(context.memory());
      groups.set(bucket, group);
    }
    return group;
  }

  private Values values(LeafReaderContext leaf) throws IOException {
    FieldValues field = values;
    if (field == null) {
      return doc -> null;
    }
    if (field.kind() == FieldValues.Kind.BYTES) {
      SortedSetDocValues ordinals = field.ordinals(leaf);
      BytesRef missing = field.missingBytes();
      return doc -> {
        if (!ordinals.advanceExact(doc)) {
          return missing == null ? null : key(missing);
        }
        requireOne(ordinals.docValueCount());
        return key(ordinals.lookupOrd(ordinals.nextOrd()));
      };
    }
    Numbers numbers = field.numbers(leaf);
    boolean whole = field.kind().isWhole();
    return doc -> {
      if (!numbers.advance(doc)) {
        return null;
      }
      requireOne(numbers.count());
      return whole ? (Object) numbers.whole() : (Object) numbers.decimal();
    };
  }

  private static BytesKey key(BytesRef term) {
    return new BytesKey(Arrays.copyOfRange(term.bytes, term.offset, term.offset + term.length));
  }

  private static void requireOne(int values) {
    if (values > 1) {
      throw FieldResolver.illegal("Sample diversifying key must be a single valued-field");
    }
  }

  private void replay() throws IOException {
    replayed = true;
    List<Chosen> all = new ArrayList<>();
    for (int group = 0; group < groups.size(); group++) {
      Sample.Group documents = groups.get(group);
      if (documents != null) {
        for (Seen seen : documents.chosen()) {
          all.add(new Chosen(group, seen));
          counts.add(group, 1);
        }
      }
    }
    all.sort(Comparator.comparingInt(chosen -> chosen.seen.doc()));
    List<LeafReaderContext> leaves = context.searcher().getIndexReader().leaves();
    for (int from = 0; from < all.size(); ) {
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(all.get(from).seen.doc(), leaves));
      int end = leaf.docBase + leaf.reader().maxDoc();
      int to = from;
      while (to < all.size() && all.get(to).seen.doc() < end) {
        to++;
      }
      replay(leaf, all.subList(from, to));
      from = to;
    }
  }

  private void replay(LeafReaderContext leaf, List<Chosen> documents) throws IOException {
    LeafBuckets inner = children.leaf(leaf);
    Remembered scorer = new Remembered();
    inner.scorer(scorer);
    for (Chosen chosen : documents) {
      scorer.score = chosen.seen.score();
      inner.collect(chosen.seen.doc() - leaf.docBase, chosen.group);
    }
    inner.finish();
  }

  /** Supplies the recorded score of a document. */
  private static final class Remembered extends Scorable {
    private float score;

    @Override
    public float score() {
      return score;
    }
  }

  @Override
  public SinglePartial build(int bucket) throws IOException {
    if (!replayed) {
      replay();
    }
    return new SinglePartial(counts.get(bucket), children.build(bucket));
  }

  @Override
  public SinglePartial empty() {
    return new SinglePartial(0, children.empty());
  }

  @Override
  public boolean needsScores() {
    return true;
  }
}
