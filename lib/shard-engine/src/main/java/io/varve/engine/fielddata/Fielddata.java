package io.varve.engine.fielddata;

import io.varve.engine.SearchMeters;
import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.jspecify.annotations.Nullable;

/** A copy's access to the node's fielddata cache. */
public record Fielddata(FielddataMemory memory, SearchMeters meters) {

  /** Without a memory limit, for use outside a node. */
  public static Fielddata unbounded() {
    return new Fielddata(FielddataMemory.unbounded(), new SearchMeters());
  }

  /**
   * The cached value for {@code field}, loaded if absent.
   *
   * @param owner determines the lifetime of the entry; null for a value that is not cached
   */
  public <T> T of(
      IndexReader.@Nullable CacheHelper owner,
      String field,
      Class<T> kind,
      FielddataMemory.Making<T> making)
      throws IOException {
    return memory.of(owner, field, kind, meters, making);
  }
}
