package io.varve.codec;

import java.io.IOException;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.codecs.lucene90.compressing.Lucene90CompressingStoredFieldsFormat;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;

/**
 * A format of stored fields with Lucene's chunks and chunk index, and one block per chunk. The
 * attributes of a segment record how it was written, so that reading does not depend on the
 * configuration of this instance.
 */
final class ZstdFieldsFormat extends StoredFieldsFormat {

  /** {@code zstd} or {@code zstd_no_dict}. */
  static final String MODE = "varve.stored_fields.mode";

  static final String LEVEL = "varve.stored_fields.level";

  /** The dictionary's id, or {@value #NO_DICTIONARY}. */
  static final String DICTIONARY = "varve.stored_fields.dictionary";

  /** The version of the block format. */
  static final String FORMAT = "varve.stored_fields.format";

  /** The uncompressed size of all blocks; absent if it is unknown for a merged segment. */
  static final String CONTENT_BYTES = "varve.stored_fields.content_bytes";

  static final String NO_DICTIONARY = "none";
  static final int NEWEST_FORMAT = 2;

  private static final String NAME = "VarveZstdFields";
  private static final int MOST_DOCUMENTS = 4096;
  private static final int BLOCK_SHIFT = 10;

  private final Coding coding;
  private final DictionaryRules rules;
  private final KnownDictionary known;

  ZstdFieldsFormat(Coding coding, DictionaryRules rules, KnownDictionary known) {
    this.coding = coding;
    this.rules = rules;
    this.known = known;
  }

  static boolean wrote(SegmentInfo segment) {
    return segment.getAttribute(MODE) != null;
  }

  private static Lucene90CompressingStoredFieldsFormat chunks(BlockMode mode) {
    return new Lucene90CompressingStoredFieldsFormat(
        NAME, mode, mode.coding().blockBytes(), MOST_DOCUMENTS, BLOCK_SHIFT);
  }

  @Override
  public StoredFieldsReader fieldsReader(
      Directory directory, SegmentInfo segment, FieldInfos fields, IOContext context)
      throws IOException {
    NativeZstd.require("segment " + segment.name);
    Coding written = coding(segment);
    String id = attribute(segment, DICTIONARY);
    if (id.equals(NO_DICTIONARY)) {
      BlockMode mode = BlockMode.withoutDictionary(written);
      return new ZstdFieldsReader(
          chunks(mode).fieldsReader(directory, segment, fields, context),
          written(segment, written),
          null,
          () -> {});
    }
    SharedDictionary shared = SharedDictionary.hold(DictionaryFile.read(directory, segment, id));
    try {
      return new ZstdFieldsReader(
          chunks(shared.mode(written)).fieldsReader(directory, segment, fields, context),
          written(segment, written),
          shared,
          () -> DictionaryFile.check(directory, segment));
    } catch (IOException | RuntimeException e) {
      shared.close();
      throw e;
    }
  }

  private static Coding coding(SegmentInfo segment) throws IOException {
    try {
      int format = Integer.parseInt(attribute(segment, FORMAT));
      if (format > NEWEST_FORMAT) {
        throw new IndexFormatTooNewException(
            "stored fields of segment " + segment.name, format, 1, NEWEST_FORMAT);
      }
      return new Coding(
          Coding.Mode.of(attribute(segment, MODE)), Integer.parseInt(attribute(segment, LEVEL)));
    } catch (IllegalArgumentException e) {
      throw new CorruptIndexException(
          "invalid attributes: " + e.getMessage(), "segment " + segment.name, e);
    }
  }

  private static ZstdFieldsReader.Written written(SegmentInfo segment, Coding coding) {
    return new ZstdFieldsReader.Written(coding, SegmentCodecs.contentBytes(segment));
  }

  private static String attribute(SegmentInfo segment, String name) throws IOException {
    String value = segment.getAttribute(name);
    if (value == null) {
      throw new CorruptIndexException("missing attribute " + name, "segment " + segment.name);
    }
    return value;
  }

  @Override
  public StoredFieldsWriter fieldsWriter(
      Directory directory, SegmentInfo segment, IOContext context) {
    return new ZstdFieldsWriter(
        new ZstdFieldsWriter.Target(directory, segment, context), coding, rules, known);
  }

  /** Opens the writer of a segment whose dictionary has been decided. */
  static StoredFieldsWriter open(
      ZstdFieldsWriter.Target target, BlockMode mode, ContentBytes content) throws IOException {
    Dictionary dictionary = mode.dictionary();
    if (dictionary != null) {
      DictionaryFile.write(target.directory(), target.segment(), dictionary, target.context());
    }
    SegmentInfo segment = target.segment();
    segment.putAttribute(MODE, mode.coding().mode().label());
    segment.putAttribute(LEVEL, String.valueOf(mode.coding().level()));
    segment.putAttribute(DICTIONARY, dictionary == null ? NO_DICTIONARY : dictionary.id());
    segment.putAttribute(FORMAT, String.valueOf(NEWEST_FORMAT));
    return content.counting(
        () -> chunks(mode).fieldsWriter(target.directory(), segment, target.context()));
  }
}
