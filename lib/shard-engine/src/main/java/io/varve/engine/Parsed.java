package io.varve.engine;

import io.varve.rpc.ErrorBody;
import java.util.List;
import org.apache.lucene.index.IndexableField;
import org.jspecify.annotations.Nullable;

/** The result of parsing a document under a mapping. */
public sealed interface Parsed {

  /**
   * A parsed document, ready for Lucene. Must be applied at most once.
   *
   * @param source the document's bytes as in the log
   * @param kept the part of the source that the mapping keeps; {@code null} if it keeps nothing
   * @param mappingVersion the mapping under which it was parsed
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Document(
      String id, byte[] source, byte @Nullable [] kept, long mappingVersion, Block block)
      implements Parsed {

    /** The Lucene fields of the root document. */
    public List<IndexableField> fields() {
      return block.root();
    }
  }

  /**
   * The Lucene documents of one document.
   *
   * @param nested nested objects that are documents of their own, innermost first
   */
  record Block(List<IndexableField> root, List<List<IndexableField>> nested) {}

  /**
   * The document has fields that the mapping lacks: extend the mapping, then parse again.
   *
   * @param properties the JSON of a mapping with only the new fields: {@code {"properties":{…}}}
   */
  record NeedsMapping(long mappingVersion, String properties) implements Parsed {}

  /** The document can't be indexed under this mapping. */
  record Invalid(ErrorBody error) implements Parsed {}

  /**
   * A delete, which has no document, or an update, whose document is parsed when the update is
   * resolved.
   */
  record Later() implements Parsed {}
}
