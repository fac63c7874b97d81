package io.varve.engine.search;

import io.varve.search.ShardSearchResult;
import io.varve.search.hits.ShardHit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.search.ScoreDoc;
import org.jspecify.annotations.Nullable;

/**
 * Hits that were found, in order, and not read yet: whoever merges several shards can first say how
 * many of each it takes. Good as long as its reader is.
 */
public final class FoundPage {

  /** Reads what hits show. */
  @FunctionalInterface
  interface Reading {
    List<ShardHit> read(ScoreDoc[] documents);
  }

  private static final ShardHit.Stamp UNREAD = new ShardHit.Stamp(-1, -2, 0);

  private final ShardSearchResult figures;
  private final ScoreDoc[] documents;
  private final Function<ScoreDoc, List<@Nullable Object>> sortValues;
  private final Reading reading;

  /**
   * @param figures the result without its hits
   */
  FoundPage(
      ShardSearchResult figures,
      ScoreDoc[] documents,
      Function<ScoreDoc, List<@Nullable Object>> sortValues,
      Reading reading) {
    this.figures = figures;
    this.documents = documents;
    this.sortValues = sortValues;
    this.reading = reading;
  }

  public int size() {
    return documents.length;
  }

  /** Where the next page begins when {@code count} of these hits are taken. */
  public @Nullable ScoreDoc last(int count, @Nullable ScoreDoc before) {
    return count == 0 ? before : documents[count - 1];
  }

  /** The result with hits that have a score and sort values alone. */
  public ShardSearchResult unread() {
    List<ShardHit> hits = new ArrayList<>(documents.length);
    for (ScoreDoc document : documents) {
      hits.add(new ShardHit("", null, document.score, sortValues.apply(document), UNREAD, null));
    }
    return figures.withHits(hits);
  }

  /** The result with the first {@code count} hits. */
  public ShardSearchResult read(int count) {
    long began = System.nanoTime();
    List<ShardHit> hits = reading.read(Arrays.copyOf(documents, Math.min(count, size())));
    return figures
        .withHits(hits)
        .at(figures.visibleSeqNo(), figures.serviceNanos() + System.nanoTime() - began);
  }
}
