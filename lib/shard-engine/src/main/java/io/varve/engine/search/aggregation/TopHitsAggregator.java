package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.partial.HitsPartial;
import io.varve.search.hits.ShardHit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopDocsCollector;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.jspecify.annotations.Nullable;

/**
 * Computes {@code top_hits}: collects the best documents of each bucket. A score that is returned
 * but not sorted by is added as the last sort key.
 */
final class TopHitsAggregator implements Aggregator {

  private static final long HIT_BYTES = 64;
  private static final long GROUP_BYTES = 512;

  private final HitReading reading;
  private final @Nullable Sort sort;
  private final boolean scores;
  private final int most;
  private final MemoryAccount memory;
  private final ObjectCells<TopDocsCollector<?>> groups;
  private final DoubleCells best;

  TopHitsAggregator(HitReading reading, AggregationContext context) {
    this.reading = reading;
    Sort asked = reading.sort();
    this.sort = asked == null || !reading.showsScores() ? asked : withScore(asked);
    this.scores = asked == null || reading.showsScores() || asked.needsScores();
    this.most = Math.max(1, Math.min(reading.most(), context.searcher().getIndexReader().maxDoc()));
    this.memory = context.memory();
    this.groups = new ObjectCells<>(memory);
    this.best = new DoubleCells(memory, Double.NEGATIVE_INFINITY);
  }

  private static Sort withScore(Sort sort) {
    SortField[] fields = Arrays.copyOf(sort.getSort(), sort.getSort().length + 1);
    fields[fields.length - 1] = SortField.FIELD_SCORE;
    return new Sort(fields);
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) {
    return new LeafBuckets() {
      private final Map<Integer, LeafCollector> collectors = new HashMap<>();
      private @Nullable Scorable scorer;

      @Override
      public void scorer(Scorable newScorer) throws IOException {
        scorer = newScorer;
        for (LeafCollector collector : collectors.values()) {
          collector.setScorer(newScorer);
        }
      }

      @Override
      public void collect(int doc, int bucket) throws IOException {
        LeafCollector collector = collectors.get(bucket);
        if (collector == null) {
          collector = group(bucket).getLeafCollector(leaf);
          if (scorer != null) {
            collector.setScorer(scorer);
          }
          collectors.put(bucket, collector);
        }
        collector.collect(doc);
        if (scores && scorer != null) {
          best.set(bucket, Math.max(best.get(bucket), scorer.score()));
        }
      }

      @Override
      public void finish() throws IOException {
        for (LeafCollector collector : collectors.values()) {
          collector.finish();
        }
      }
    };
  }

  private TopDocsCollector<?> group(int bucket) {
    TopDocsCollector<?> group = groups.get(bucket);
    if (group == null) {
      memory.charge(GROUP_BYTES + most * HIT_BYTES);
      Sort order = sort;
      group =
          order == null
              ? new TopScoreDocCollectorManager(most, null, Integer.MAX_VALUE).newCollector()
              : new TopFieldCollectorManager(order, most, null, Integer.MAX_VALUE).newCollector();
      groups.set(bucket, group);
    }
    return group;
  }

  @Override
  public HitsPartial build(int bucket) throws IOException {
    TopDocsCollector<?> group = groups.get(bucket);
    if (group == null) {
      return empty();
    }
    TopDocs top = group.topDocs();
    ScoreDoc[] documents = reading.most() == 0 ? new ScoreDoc[0] : top.scoreDocs;
    if (sort != null && reading.showsScores()) {
      for (ScoreDoc document : documents) {
        Object[] values = ((FieldDoc) document).fields;
        document.score = (float) values[values.length - 1];
      }
    }
    List<HitsPartial.Found> found = new ArrayList<>(documents.length);
    List<ShardHit> hits = reading.read(documents);
    for (int i = 0; i < documents.length; i++) {
      found.add(
          new HitsPartial.Found(reading.index(), reading.place(documents[i].doc), hits.get(i)));
    }
    boolean known = scores && (sort == null || reading.showsScores() || sort.needsScores());
    float maxScore = known ? (float) best.get(bucket) : Float.NaN;
    return new HitsPartial(
        top.totalHits.value(), Float.isInfinite(maxScore) ? Float.NaN : maxScore, found);
  }

  @Override
  public HitsPartial empty() {
    return HitsPartial.NONE;
  }

  @Override
  public boolean needsScores() {
    return scores;
  }
}
