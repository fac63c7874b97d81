package io.varve.codec;

import java.io.IOException;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;

/** Lucene's codec, whose stored fields are always read like those of hits. */
public final class Lz4ReadingCodec extends FilterCodec {

  public Lz4ReadingCodec() {
    super("Lz4Reading", new Lucene104Codec());
  }

  @Override
  public StoredFieldsFormat storedFieldsFormat() {
    StoredFieldsFormat lucene = delegate.storedFieldsFormat();
    return new StoredFieldsFormat() {
      @Override
      public StoredFieldsReader fieldsReader(
          Directory directory, SegmentInfo segment, FieldInfos fields, IOContext context)
          throws IOException {
        return HitFields.LZ4.fieldsReader(directory, segment, fields, context);
      }

      @Override
      public StoredFieldsWriter fieldsWriter(
          Directory directory, SegmentInfo segment, IOContext context) throws IOException {
        return lucene.fieldsWriter(directory, segment, context);
      }
    };
  }
}
