package io.varve.client;

import io.varve.rpc.ReadDemand;
import io.varve.search.Slice;
import org.jspecify.annotations.Nullable;

/**
 * How one shard is searched, beside the request that all shards share.
 *
 * @param ordinal which of the searched shards this is
 * @param part which part of the shard, or null for all
 * @param context the scroll or point in time, or null for what the copy shows now
 * @param bounds what ends it early
 * @param terms on which the copy is asked
 */
public record SearchCall(
    Step step,
    int ordinal,
    Slice.Share.@Nullable Part part,
    @Nullable Context context,
    Bounds bounds,
    CallTerms terms) {

  /** Of a copy, whatever it shows. */
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

  /** What the copy must show. */
  public ReadDemand demand() {
    return terms.demand();
  }

  /** What is done. */
  public sealed interface Step {

    /**
     * A search that is over when it is answered.
     *
     * @param cached whether the answer may be one that was given before
     */
    record Once(boolean cached) implements Step {}

    /** Says whether the query can match at all, as one byte. */
    record CanMatch() implements Step {}

    /** Counts how often the terms of the search stand in the shard. */
    record Statistics() implements Step {}

    /**
     * Keeps a reader open.
     *
     * @param openedMillis when the whole point in time was opened
     */
    record OpenPit(long openedMillis) implements Step {}

    /**
     * Opens a scroll.
     *
     * @param takeAll the page is read at once, and all of it is taken
     */
    record OpenScroll(boolean takeAll) implements Step {}

    record NextPage(boolean takeAll) implements Step {}

    /**
     * Says what the query is to the shard.
     *
     * @param rewritten as it is run, not as it was translated
     */
    record Explain(boolean rewritten) implements Step {}

    /** Reads so many hits of the page that was found last; the next begins behind them. */
    record Take(int count) implements Step {}
  }

  /**
   * @param keepAliveMillis how long it stays after this use, 0 for as long as before
   */
  public record Context(String id, long keepAliveMillis) {}

  /**
   * @param timeoutMillis after which the shard shows what it has; 0 for never
   * @param task for which the search runs
   */
  public record Bounds(long timeoutMillis, @Nullable String task) {
    public static final Bounds NONE = new Bounds(0, null);
  }
}
