package io.varve.client;

import io.varve.rpc.ReadDemand;
import io.varve.search.Slice;
import org.jspecify.annotations.Nullable;

/**
 * The part of a search request that differs by shard.
 *
 * @param ordinal number of this shard among the searched ones
 * @param part the slice of the shard, or null for all
 * @param context the scroll or point in time, or null for the state that the copy shows now
 * @param bounds limits that end it early
 * @param terms conditions of the call
 */
public record SearchCall(
    Step step,
    int ordinal,
    Slice.Share.@Nullable Part part,
    @Nullable Context context,
    Bounds bounds,
    CallTerms terms) {

  /** A call without a read demand. */
  public SearchCall(
      Step step,
      int ordinal,
      Slice.Share.@Nullable Part part,
      @Nullable Context context,
      Bounds bounds) {
    this(step, ordinal, part, context, bounds, CallTerms.NONE);
  }

  public SearchCall on(CallTerms newTerms) {
    return new SearchCall(step, ordinal, part, context, bounds, newTerms);
  }

  /** The visibility that the copy must reach. */
  public ReadDemand demand() {
    return terms.demand();
  }

  /** The operation. */
  public sealed interface Step {

    /**
     * A complete search.
     *
     * @param cached whether the answer may come from the request cache
     */
    record Once(boolean cached) implements Step {}

    /** Answers whether the query can match at all, as one byte. */
    record CanMatch() implements Step {}

    /** Collects the shard's statistics of the search's terms. */
    record Statistics() implements Step {}

    /**
     * Opens a reader for a point in time.
     *
     * @param openedMillis when the point in time was opened
     */
    record OpenPit(long openedMillis) implements Step {}

    /**
     * Opens a scroll.
     *
     * @param takeAll whether the whole page is returned by this step
     */
    record OpenScroll(boolean takeAll) implements Step {}

    record NextPage(boolean takeAll) implements Step {}

    /**
     * Validates and explains the query.
     *
     * @param rewritten whether to explain the query as rewritten by Lucene
     */
    record Explain(boolean rewritten) implements Step {}

    /**
     * Reads {@code count} hits of the page that was found last; the next page begins after them.
     */
    record Take(int count) implements Step {}
  }

  /**
   * @param keepAliveMillis keep-alive after this use, 0 for the same as before
   */
  public record Context(String id, long keepAliveMillis) {}

  /**
   * @param timeoutMillis time after which the shard returns partial results; 0 for no limit
   * @param task for which the search runs
   */
  public record Bounds(long timeoutMillis, @Nullable String task) {
    public static final Bounds NONE = new Bounds(0, null);
  }
}
