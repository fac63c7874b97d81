package io.varve.codec;

import java.io.Closeable;
import java.io.IOException;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * How much content the blocks of one writer had before they were compressed.
 *
 * <p>Lucene makes a writer's compressor itself, of a mode that all writers share: whoever opens a
 * writer binds its count for that long.
 */
final class ContentBytes {

  private static final ScopedValue<ContentBytes> OF_WRITER = ScopedValue.newInstance();

  private long sum;
  private @Nullable Closeable compressor;

  /** That of the writer that is being opened; else one that nobody reads. */
  static ContentBytes ofWriter() {
    return OF_WRITER.isBound() ? OF_WRITER.get() : new ContentBytes();
  }

  StoredFieldsWriter counting(ScopedValue.CallableOp<StoredFieldsWriter, IOException> opening)
      throws IOException {
    try {
      return ScopedValue.where(OF_WRITER, this).call(opening);
    } catch (IOException | RuntimeException | Error e) {
      // A writer that can't make its files forgets the compressor that it has made before.
      IOUtils.closeWhileHandlingException(compressor);
      throw e;
    }
  }

  void isOf(Closeable writersCompressor) {
    compressor = writersCompressor;
  }

  void add(long bytes) {
    sum += bytes;
  }

  long sum() {
    return sum;
  }
}
