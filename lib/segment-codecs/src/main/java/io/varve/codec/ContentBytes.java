package io.varve.codec;

import java.io.Closeable;
import java.io.IOException;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * The uncompressed size of the blocks of one writer.
 *
 * <p>Lucene creates a writer's compressor from a mode that all writers share, so the counter can't
 * be passed to it. It is bound to the thread that opens a writer instead.
 */
final class ContentBytes {

  private static final ScopedValue<ContentBytes> OF_WRITER = ScopedValue.newInstance();

  private long sum;
  private @Nullable Closeable compressor;

  /** The counter bound by the writer that is being opened, otherwise one that is never read. */
  static ContentBytes ofWriter() {
    return OF_WRITER.isBound() ? OF_WRITER.get() : new ContentBytes();
  }

  StoredFieldsWriter counting(ScopedValue.CallableOp<StoredFieldsWriter, IOException> opening)
      throws IOException {
    try {
      return ScopedValue.where(OF_WRITER, this).call(opening);
    } catch (IOException | RuntimeException | Error e) {
      // A writer that fails to create its files does not close the compressor that it has already
      // created.
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
