package io.varve.engine;

import io.varve.rpc.ErrorBody;
import java.util.List;
import org.apache.lucene.index.IndexableField;
import org.jspecify.annotations.Nullable;

/** What became of a document's bytes when they were read under a mapping. */
public sealed interface Parsed {

  /**
   * Its fields, ready for Lucene. It is applied once at most.
   *
   * @param source the document's own bytes, as the log has them
   * @param kept what the mapping keeps of them; {@code null} when it keeps nothing
   * @param mappingVersion the mapping that it was read under
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Document(
      String id, byte[] source, byte @Nullable [] kept, long mappingVersion, Block block)
      implements Parsed {

    /** Lucene's fields of the document itself. */
    public List<IndexableField> fields() {
      return block.root();
    }
  }

  /**
   * The Lucene documents that come of one.
   *
   * @param nested the objects in it that are documents of their own, the innermost first
   */
  record Block(List<IndexableField> root, List<List<IndexableField>> nested) {}

  /**
   * It brings fields that the mapping lacks: add them, then parse again.
   *
   * @param properties the JSON of a mapping that has the new fields alone: {@code
   *     {"properties":{…}}}
   */
  record NeedsMapping(long mappingVersion, String properties) implements Parsed {}

  /** It can't be indexed under this mapping. */
  record Invalid(ErrorBody error) implements Parsed {}

  /** A delete or an update: nothing to read before it is resolved. */
  record Later() implements Parsed {}
}
