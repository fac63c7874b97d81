package io.varve.engine.search;

import io.varve.engine.fielddata.Fielddata;
import java.util.function.BooleanSupplier;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.jspecify.annotations.Nullable;

/**
 * Execution parameters of a shard search, in addition to its request.
 *
 * @param after the last hit of the previous page, found by the same request on the same reader
 * @param part the slice of the shard to search, or null for all
 * @param ordinal of the shard among the searched shards
 * @param timeoutMillis after which partial results are returned; 0 for never
 * @param cancelled polled while the search runs
 * @param fielddata the copy's fielddata cache
 * @param slices counts concurrent searches of several slices
 */
public record SearchExecution(
    @Nullable ScoreDoc after,
    @Nullable Query part,
    int ordinal,
    long timeoutMillis,
    BooleanSupplier cancelled,
    Fielddata fielddata,
    SliceCount slices) {

  /** Counts searches that process several slices concurrently. */
  @FunctionalInterface
  public interface SliceCount {

    SliceCount NOBODY = _ -> () -> {};

    /** Records the start of a search with this many slices; the returned action records its end. */
    Runnable begins(int slices);
  }

  /** The first page of the whole shard, without limits. */
  public static SearchExecution plain() {
    return new SearchExecution(
        null, null, 0, 0, () -> false, Fielddata.unbounded(), SliceCount.NOBODY);
  }

  public SearchExecution after(@Nullable ScoreDoc last) {
    return new SearchExecution(last, part, ordinal, timeoutMillis, cancelled, fielddata, slices);
  }

  /** A copy that counts slices. */
  public SearchExecution counted(SliceCount count) {
    return new SearchExecution(after, part, ordinal, timeoutMillis, cancelled, fielddata, count);
  }
}
