package io.varve.engine.search;

import io.varve.events.Json;
import io.varve.search.hits.ShardHit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/** Fetches the named queries that a hit matches, with scores if requested. */
final class NamedPart implements HitPart {

  /** A query on one segment; advanced forward only. */
  private record Walk(@Nullable Scorer scorer, @Nullable TwoPhaseIterator exact) {

    static Walk of(Weight weight, LeafReaderContext leaf) throws IOException {
      Scorer scorer = weight.scorer(leaf);
      return new Walk(scorer, scorer == null ? null : scorer.twoPhaseIterator());
    }

    boolean matches(int doc) throws IOException {
      Scorer over = scorer;
      if (over == null) {
        return false;
      }
      DocIdSetIterator documents = exact == null ? over.iterator() : exact.approximation();
      if (documents.docID() < doc) {
        documents.advance(doc);
      }
      return documents.docID() == doc && (exact == null || exact.matches());
    }
  }

  private final Map<String, Weight> weights = new LinkedHashMap<>();
  private final boolean withScores;
  private final Map<String, Walk> walks = new LinkedHashMap<>();
  private @Nullable LeafReaderContext at;

  NamedPart(IndexSearcher searcher, Map<String, Query> named, boolean withScores)
      throws IOException {
    this.withScores = withScores;
    ScoreMode mode = withScores ? ScoreMode.COMPLETE : ScoreMode.COMPLETE_NO_SCORES;
    for (Map.Entry<String, Query> one : named.entrySet()) {
      weights.put(one.getKey(), searcher.createWeight(searcher.rewrite(one.getValue()), mode, 1));
    }
  }

  @Override
  public ShardHit.@Nullable Part of(HitContext hit) throws IOException {
    if (!hit.leaf.equals(at)) {
      at = hit.leaf;
      walks.clear();
      for (Map.Entry<String, Weight> one : weights.entrySet()) {
        walks.put(one.getKey(), Walk.of(one.getValue(), hit.leaf));
      }
    }
    Map<String, Float> matched = new LinkedHashMap<>();
    for (Map.Entry<String, Walk> one : walks.entrySet()) {
      Scorer scorer = one.getValue().scorer;
      if (scorer != null && one.getValue().matches(hit.doc)) {
        matched.put(one.getKey(), withScores ? scorer.score() : 0);
      }
    }
    if (matched.isEmpty()) {
      return null;
    }
    List<String> names = new ArrayList<>(matched.keySet());
    return new ShardHit.Part("matched_queries", Json.write(withScores ? matched : names));
  }
}
