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
 * Stores derived sources: a shape, shared by many documents, in doc values, and the values that are
 * neither in the shape nor in other doc values in a stored field. {@link SourceReader} reassembles
 * the exact bytes.
 *
 * <p>A source is stored as is if its shape is new or too long, if no doc value can be used, or if
 * splitting it fails: an operation in the log must be indexed in any case. Thread-safe.
 */
public final class DerivedSources {

  /** The doc values field of a document's shape. */
  public static final String SHAPE = "_source_shape";

  private static final System.Logger LOG = System.getLogger(DerivedSources.class.getName());
  private static final String SETTING = "index.derived_source.enabled";
  private static final int LONGEST_SHAPE = 8192;

  private record Places(Mapping mapping, SourceNode root) {}

  private final String stored;
  private final SeenShapes seen = new SeenShapes();
  private volatile @Nullable Places places;
  private volatile @Nullable Mapping failed;

  /**
   * @param stored the name of the stored field
   */
  public DerivedSources(String stored) {
    this.stored = stored;
  }

  /** Whether an index with these settings derives sources. */
  public static boolean wanted(Map<String, String> settings) {
    return Boolean.parseBoolean(settings.get(SETTING));
  }

  /**
   * Adds the stored form of a source to its document's fields.
   *
   * @param document fields created from the source under this or another mapping
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

  /** Logs a failure once per mapping, since similar documents fail in the same way. */
  @SuppressWarnings("ReferenceEquality") // mappings are immutable
  private void warn(Mapping mapping, RuntimeException cause) {
    if (failed != mapping) {
      failed = mapping;
      LOG.log(System.Logger.Level.WARNING, "could not split a source, storing it as is", cause);
    }
  }

  @SuppressWarnings("ReferenceEquality") // mappings are immutable
  private SourceNode root(Mapping mapping) {
    Places known = places;
    if (known == null || known.mapping != mapping) {
      known = new Places(mapping, SourceNode.of(mapping.root()));
      places = known;
    }
    return known.root;
  }
}
