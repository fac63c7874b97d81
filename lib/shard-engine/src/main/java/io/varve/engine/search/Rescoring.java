package io.varve.engine.search;

import io.varve.rpc.ErrorBody;
import io.varve.search.Ranking.Rescore;
import io.varve.search.Ranking.ScoreMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryRescorer;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;

/**
 * Rescores the best hits of a shard, once per rescore request, in order. Hits outside the window
 * keep their place and the weighted score of the first query.
 */
final class Rescoring {

  private static final int DEFAULT_MAX_WINDOW = 10_000;

  /** A rescore and the documents in its window. */
  private record Round(Rescore rescore, Query query, Set<Integer> window) {}

  private final List<Round> rounds = new ArrayList<>();

  Rescoring(QueryContext context, QueryTranslator translator, List<Rescore> rescores) {
    int most = context.index().number("index.max_rescore_window", DEFAULT_MAX_WINDOW);
    for (Rescore rescore : rescores) {
      if (rescore.window() > most) {
        throw SearchErrors.failed(
            ErrorBody.illegalArgument(
                "Rescore window ["
                    + rescore.window()
                    + "] is too large. It must be less than ["
                    + most
                    + "]. This prevents allocating massive heaps for storing the results to be"
                    + " rescored. This limit can be set by changing the"
                    + " [index.max_rescore_window] index level setting."));
      }
      rounds.add(new Round(rescore, translator.translate(rescore.query()), new HashSet<>()));
    }
  }

  boolean isEmpty() {
    return rounds.isEmpty();
  }

  /** The number of hits needed for the largest window. */
  int widestWindow() {
    return rounds.stream().mapToInt(round -> round.rescore.window()).max().orElse(0);
  }

  TopDocs apply(IndexSearcher searcher, TopDocs found) throws IOException {
    TopDocs now = found;
    for (Round round : rounds) {
      now = apply(searcher, now, round);
    }
    return now;
  }

  private static TopDocs apply(IndexSearcher searcher, TopDocs found, Round round)
      throws IOException {
    Rescore rescore = round.rescore;
    int window = Math.min(rescore.window(), found.scoreDocs.length);
    ScoreDoc[] first = Arrays.copyOf(found.scoreDocs, window);
    for (ScoreDoc document : first) {
      round.window.add(document.doc);
    }
    TopDocs rescored =
        new Again(round.query, rescore)
            .rescore(searcher, new TopDocs(found.totalHits, first), window);
    ScoreDoc[] all = new ScoreDoc[found.scoreDocs.length];
    System.arraycopy(rescored.scoreDocs, 0, all, 0, window);
    for (int i = window; i < all.length; i++) {
      ScoreDoc behind = found.scoreDocs[i];
      all[i] = new ScoreDoc(behind.doc, behind.score * rescore.queryWeight(), behind.shardIndex);
    }
    return new TopDocs(found.totalHits, all);
  }

  private static final class Again extends QueryRescorer {
    private final Rescore rescore;

    Again(Query query, Rescore rescore) {
      super(query);
      this.rescore = rescore;
    }

    @Override
    protected float combine(float first, boolean matches, float second) {
      float weighted = first * rescore.queryWeight();
      return matches
          ? together(rescore.mode(), weighted, second * rescore.rescoreWeight())
          : weighted;
    }
  }

  private static float together(ScoreMode mode, float first, float second) {
    return switch (mode) {
      case TOTAL -> first + second;
      case MULTIPLY -> first * second;
      case AVG -> (first + second) / 2;
      case MAX -> Math.max(first, second);
      case MIN -> Math.min(first, second);
    };
  }

  Explanation explain(IndexSearcher searcher, Explanation first, int doc) throws IOException {
    Explanation now = first;
    for (Round round : rounds) {
      Rescore rescore = round.rescore;
      float weighted = now.getValue().floatValue() * rescore.queryWeight();
      Explanation primary =
          Explanation.match(
              weighted,
              "product of:",
              now,
              Explanation.match(rescore.queryWeight(), "primaryWeight"));
      Explanation second = round.window.contains(doc) ? searcher.explain(round.query, doc) : null;
      if (second == null || !second.isMatch()) {
        now = primary;
        continue;
      }
      float again = second.getValue().floatValue() * rescore.rescoreWeight();
      now =
          Explanation.match(
              together(rescore.mode(), weighted, again),
              rescore.mode().name().toLowerCase(Locale.ROOT) + " of:",
              primary,
              Explanation.match(
                  again,
                  "product of:",
                  second,
                  Explanation.match(rescore.rescoreWeight(), "secondaryWeight")));
    }
    return now;
  }
}
