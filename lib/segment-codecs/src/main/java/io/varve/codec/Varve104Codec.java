package io.varve.codec;

import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;

/**
 * Lucene's codec of this version, with stored fields compressed by zstd. All other formats are
 * Lucene's.
 *
 * <p>Each writer needs its own instance, which remembers the dictionary of the writer's last
 * segment.
 */
public final class Varve104Codec extends FilterCodec {

  public static final String NAME = "Varve104";

  private final Coding coding;
  private final ZstdFieldsFormat storedFields;

  /** Called by Lucene, for reading. */
  public Varve104Codec() {
    this(new Coding(Coding.Mode.ZSTD, Coding.USUAL));
  }

  public Varve104Codec(Coding coding) {
    this(coding, DictionaryRules.USUAL);
  }

  Varve104Codec(Coding coding, DictionaryRules rules) {
    super(NAME, new Lucene104Codec());
    this.coding = coding;
    this.storedFields = new ZstdFieldsFormat(coding, rules, new KnownDictionary());
  }

  public Coding coding() {
    return coding;
  }

  @Override
  public StoredFieldsFormat storedFieldsFormat() {
    return storedFields;
  }
}
