package io.varve.engine.fielddata;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.Mapping;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedSetDocValues;
import org.jspecify.annotations.Nullable;

/** A reader that provides doc values for text fields with {@code fielddata}. */
public final class FielddataReader extends FilterDirectoryReader {

  private final Map<String, LeafField> texts;
  private final Fielddata fielddata;

  private FielddataReader(DirectoryReader in, Map<String, LeafField> texts, Fielddata fielddata)
      throws IOException {
    super(
        in,
        new SubReaderWrapper() {
          @Override
          public LeafReader wrap(LeafReader reader) {
            return new Leaf(reader, texts, fielddata);
          }
        });
    this.texts = texts;
    this.fielddata = fielddata;
  }

  /** Returns the reader itself if no text field has fielddata. */
  public static IndexReader over(IndexReader reader, Mapping mapping, Fielddata fielddata) {
    Map<String, LeafField> texts = new HashMap<>();
    for (LeafField field : mapping.leaves().values()) {
      if (field.fielddata()) {
        texts.put(field.path(), field);
      }
    }
    try {
      return !texts.isEmpty() && reader instanceof DirectoryReader directory
          ? new FielddataReader(directory, texts, fielddata)
          : reader;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected DirectoryReader doWrapDirectoryReader(DirectoryReader reader) throws IOException {
    return new FielddataReader(reader, texts, fielddata);
  }

  @Override
  public CacheHelper getReaderCacheHelper() {
    return in.getReaderCacheHelper();
  }

  private static final class Leaf extends FilterLeafReader {
    private final Map<String, LeafField> texts;
    private final Fielddata fielddata;

    Leaf(LeafReader in, Map<String, LeafField> texts, Fielddata fielddata) {
      super(in);
      this.texts = texts;
      this.fielddata = fielddata;
    }

    @Override
    public @Nullable SortedSetDocValues getSortedSetDocValues(String name) throws IOException {
      LeafField text = texts.get(name);
      if (text == null) {
        return in.getSortedSetDocValues(name);
      }
      return fielddata
          .of(
              in.getCoreCacheHelper(),
              name,
              UninvertedTerms.class,
              account -> UninvertedTerms.of(in, name, text.frequencyFilter(), account))
          .values();
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }
}
