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
 * A page of hits, in order, that have been found but not fetched, so that a caller that merges
 * several shards can first determine how many hits of each it needs. Valid until its reader is
 * closed.
 */
public final class FoundPage {

  /** Fetches hits. */
  @FunctionalInterface
  interface Reading {
    List<ShardHit> read(ScoreDoc[] documents);
  }

  private static final ShardHit.Stamp UNREAD = new ShardHit.Stamp(-1, -2, 0);

  private final ShardSearchResult withoutHits;
  private final ScoreDoc[] documents;
  private final Function<ScoreDoc, List<@Nullable Object>> sortValues;
  private final Reading reading;

  /**
   * @param withoutHits the result without hits
   */
  FoundPage(
      ShardSearchResult withoutHits,
      ScoreDoc[] documents,
      Function<ScoreDoc, List<@Nullable Object>> sortValues,
      Reading reading) {
    this.withoutHits = withoutHits;
    this.documents = documents;
    this.sortValues = sortValues;
    this.reading = reading;
  }

  public int size() {
    return documents.length;
  }

  /** The last hit of a page with {@code count} of these hits, from which the next page starts. */
  public @Nullable ScoreDoc last(int count, @Nullable ScoreDoc before) {
    return count == 0 ? before : documents[count - 1];
  }

  /** The result with hits that have only a score and sort values. */
  public ShardSearchResult unread() {
    List<ShardHit> hits = new ArrayList<>(documents.length);
    for (ScoreDoc document : documents) {
      hits.add(new ShardHit("", null, document.score, sortValues.apply(document), UNREAD, null));
    }
    return withoutHits.withHits(hits);
  }

  /** The result with the first {@code count} hits fetched. */
  public ShardSearchResult read(int count) {
    long began = System.nanoTime();
    List<ShardHit> hits = reading.read(Arrays.copyOf(documents, Math.min(count, size())));
    return withoutHits
        .withHits(hits)
        .at(withoutHits.visibleSeqNo(), withoutHits.serviceNanos() + System.nanoTime() - began);
  }
}
