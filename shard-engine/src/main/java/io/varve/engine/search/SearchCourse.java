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
 */
public record SearchCourse(
    @Nullable ScoreDoc after,
    @Nullable Query part,
    int ordinal,
    long timeoutMillis,
    BooleanSupplier cancelled,
    Fielddata fielddata) {

  /** The first page of the whole shard. */
  public static SearchCourse plain() {
    return new SearchCourse(null, null, 0, 0, () -> false, Fielddata.unbounded());
  }

  public SearchCourse after(@Nullable ScoreDoc last) {
    return new SearchCourse(last, part, ordinal, timeoutMillis, cancelled, fielddata);
  }
}
