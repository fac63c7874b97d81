package io.varve.engine.search;

import io.varve.engine.fielddata.Fielddata;
import java.util.function.BooleanSupplier;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.jspecify.annotations.Nullable;

/**
 * How one search is run on one reader, beside what it asks for.
 *
 * @param after the last hit of the page before, found by the same request on the same reader
 * @param part what of the shard is looked at, or null for all
 * @param ordinal which of the searched shards this is
 * @param timeoutMillis after which it shows what it has; 0 for never
 * @param cancelled asked often while the search runs
 * @param fielddata what is kept of the copy
 * @param slices counts the search where it is looked at in several slices
 */
public record SearchCourse(
    @Nullable ScoreDoc after,
    @Nullable Query part,
    int ordinal,
    long timeoutMillis,
    BooleanSupplier cancelled,
    Fielddata fielddata,
    SliceCount slices) {

  /** Counts searches of which several slices are looked at at the same time. */
  @FunctionalInterface
  public interface SliceCount {

    SliceCount NOBODY = _ -> () -> {};

    /** A search in so many slices begins; what this returns is run at its end. */
    Runnable begins(int slices);
  }

  /** The first page of the whole shard. */
  public static SearchCourse plain() {
    return new SearchCourse(
        null, null, 0, 0, () -> false, Fielddata.unbounded(), SliceCount.NOBODY);
  }

  public SearchCourse after(@Nullable ScoreDoc last) {
    return new SearchCourse(last, part, ordinal, timeoutMillis, cancelled, fielddata, slices);
  }

  /** The same, counted there. */
  public SearchCourse counted(SliceCount count) {
    return new SearchCourse(after, part, ordinal, timeoutMillis, cancelled, fielddata, count);
  }
}
