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
   * @param source what is kept of the document's own bytes; {@code null} when the mapping keeps
   *     nothing
   * @param mappingVersion the mapping that it was read under
   * @param nested the objects in it that are documents of their own, the innermost first
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Document(
      String id,
      byte @Nullable [] source,
      long mappingVersion,
      List<IndexableField> fields,
      List<List<IndexableField>> nested)
      implements Parsed {}

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
