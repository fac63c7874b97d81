package io.varve.engine.fielddata;

import io.varve.engine.SearchMeters;
import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.jspecify.annotations.Nullable;

/** One copy's part of what a node keeps of the values of fields. */
public record Fielddata(FielddataMemory memory, SearchMeters meters) {

  /** For who has no node: nothing is bounded. */
  public static Fielddata unbounded() {
    return new Fielddata(FielddataMemory.unbounded(), new SearchMeters());
  }

  /**
   * What is known of {@code field} in that segment or reader, or is made now.
   *
   * @param owner with which it goes; null for what is not kept
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
