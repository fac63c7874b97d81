package io.varve.codec;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BaseStoredFieldsFormatTestCase;

/** Lucene's test cases for stored fields, which it writes and {@link Lz4Decompressor} reads. */
public final class Lz4LuceneCasesTest extends BaseStoredFieldsFormatTestCase {

  @Override
  protected Codec getCodec() {
    return new Lz4ReadingCodec();
  }
}
