package io.varve.engine.fielddata;

import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.OrdinalMap;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.packed.PackedInts;
import org.jspecify.annotations.Nullable;

/**
 * Builds the global ordinals of a field over all segments of a reader, and caches them until the
 * reader is closed.
 */
public final class GlobalOrdinals {

  private GlobalOrdinals() {}

  /** Null if the reader has one segment, whose own ordinals suffice. */
  public static @Nullable OrdinalMap of(IndexReader reader, String field, Fielddata fielddata)
      throws IOException {
    return reader.leaves().size() < 2
        ? null
        : fielddata.of(
            reader.getReaderCacheHelper(),
            field,
            OrdinalMap.class,
            account -> {
              OrdinalMap made = map(reader, field);
              account.charge(made.ramBytesUsed());
              return made;
            });
  }

  private static OrdinalMap map(IndexReader reader, String field) throws IOException {
    SortedSetDocValues[] all = new SortedSetDocValues[reader.leaves().size()];
    for (LeafReaderContext leaf : reader.leaves()) {
      all[leaf.ord] = DocValues.getSortedSet(leaf.reader(), field);
    }
    return OrdinalMap.build(null, all, PackedInts.DEFAULT);
  }
}
