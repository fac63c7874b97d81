package io.varve.engine.fields;

import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.DocValuesSkipIndexType;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexOptions;

/**
 * The Lucene representation of metadata fields:
 *
 * <pre>
 *   _id            indexed term and stored bytes, UTF-8
 *   _source        stored bytes, as sent or reduced by the mapping; absent in tombstones
 *   _source_shape  doc values, if sources are derived: _source then holds only the remaining values
 *   _routing       indexed term and stored bytes, when given
 *   _seq_no        doc values with a skip index
 *   _primary_term, _version     doc values
 *   __soft_deletes doc values, 1 on replaced documents and on tombstones
 *   _tombstone     doc values, 1 on the tombstone of a delete
 *   _ignored       indexed term and stored text, names of fields whose values were ignored
 * </pre>
 */
public final class MetaFields {

  public static final String ID = "_id";
  public static final String SOURCE = "_source";
  public static final String ROUTING = "_routing";
  public static final String SEQ_NO = "_seq_no";
  public static final String PRIMARY_TERM = "_primary_term";
  public static final String VERSION = "_version";
  public static final String SOFT_DELETES = "__soft_deletes";
  public static final String TOMBSTONE = "_tombstone";
  public static final String IGNORED = "_ignored";

  public static final FieldType STORED_TERM = storedTerm();
  public static final FieldType STORED_BYTES = storedBytes();
  public static final FieldType SKIPPED_NUMBER = number(DocValuesSkipIndexType.RANGE);
  public static final FieldType NUMBER = number(DocValuesSkipIndexType.NONE);

  private MetaFields() {}

  private static FieldType storedTerm() {
    FieldType type = new FieldType();
    type.setIndexOptions(IndexOptions.DOCS);
    type.setTokenized(false);
    type.setOmitNorms(true);
    type.setStored(true);
    type.freeze();
    return type;
  }

  private static FieldType storedBytes() {
    FieldType type = new FieldType();
    type.setStored(true);
    type.freeze();
    return type;
  }

  private static FieldType number(DocValuesSkipIndexType skipIndex) {
    FieldType type = new FieldType();
    type.setDocValuesType(DocValuesType.NUMERIC);
    type.setDocValuesSkipIndexType(skipIndex);
    type.freeze();
    return type;
  }
}
