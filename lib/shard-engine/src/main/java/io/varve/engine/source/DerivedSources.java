package io.varve.engine.source;

import io.varve.search.mapping.Mapping;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * How an index that derives its sources keeps them: a shape, which many documents share, in doc
 * values, and stored what neither it nor other doc values have. {@link SourceReader} puts it
 * together again, to the byte.
 *
 * <p>A source whose shape is new, too long, or without a value of doc values is stored as it is,
 * and so is one that can't be taken apart: it is in the log, and has to be indexed. Safe to share.
 */
public final class DerivedSources {

  /** The doc values with a document's shape. */
  public static final String SHAPE = "_source_shape";

  private static final System.Logger LOG = System.getLogger(DerivedSources.class.getName());
  private static final String SETTING = "index.derived_source.enabled";
  private static final int LONGEST_SHAPE = 8192;

  private record Places(Mapping mapping, Place root) {}

  private final String stored;
  private final SeenShapes seen = new SeenShapes();
  private volatile @Nullable Places places;
  private volatile @Nullable Mapping failed;

  /**
   * @param stored the field of what is stored
   */
  public DerivedSources(String stored) {
    this.stored = stored;
  }

  /** Whether an index with these settings derives its sources. */
  public static boolean wanted(Map<String, String> settings) {
    return Boolean.parseBoolean(settings.get(SETTING));
  }

  /**
   * Adds what is kept of a source to its document's fields.
   *
   * @param document the fields that came of the source under some mapping, this one or another
   */
  public void add(
      byte[] source, List<IndexableField> document, Mapping mapping, List<IndexableField> to) {
    SourceSplitter splitter = split(source, document, mapping);
    if (splitter == null
        || splitter.shape().length > LONGEST_SHAPE
        || !seen.add(splitter.shape())) {
      to.add(new StoredField(stored, source));
      return;
    }
    to.add(new SortedDocValuesField(SHAPE, BytesRef.deepCopyOf(splitter.shape())));
    byte[] rest = splitter.stored();
    if (rest != null) {
      to.add(new StoredField(stored, rest));
    }
  }

  private @Nullable SourceSplitter split(
      byte[] source, List<IndexableField> document, Mapping mapping) {
    try {
      SourceSplitter splitter = new SourceSplitter(source, new DocumentValues(document));
      return splitter.split(root(mapping)) ? splitter : null;
    } catch (RuntimeException e) {
      warn(mapping, e);
      return null;
    }
  }

  /** Once for each mapping: what fails with one document fails with those that are like it. */
  @SuppressWarnings("ReferenceEquality") // as below
  private void warn(Mapping mapping, RuntimeException cause) {
    if (failed != mapping) {
      failed = mapping;
      LOG.log(System.Logger.Level.WARNING, "a source is stored that can't be taken apart", cause);
    }
  }

  @SuppressWarnings("ReferenceEquality") // a mapping never changes: a change is another one
  private Place root(Mapping mapping) {
    Places known = places;
    if (known == null || known.mapping != mapping) {
      known = new Places(mapping, Place.of(mapping.root()));
      places = known;
    }
    return known.root;
  }
}
