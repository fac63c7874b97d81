package io.varve.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import com.github.luben.zstd.ZstdException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Trains dictionaries from samples and compares them. */
final class DictionaryTraining {

  private static final int SAMPLES = 32;
  private static final int LEAST_SAMPLES = 8;

  private DictionaryTraining() {}

  /**
   * The layouts of blocks with the documents. The blocks are smaller than those of the segment if
   * there would otherwise be too few.
   */
  static List<byte[]> payloads(RecordedDocuments documents, int blockBytes) {
    List<byte[]> blocks =
        documents.blocks((int) Math.min(blockBytes, Math.max(512, documents.size() / SAMPLES)));
    ColumnEncoder encoder = new ColumnEncoder();
    List<byte[]> payloads = new ArrayList<>(blocks.size());
    for (byte[] block : blocks) {
      if (!encoder.columns(block, block.length)) {
        encoder.rows(block, block.length);
      }
      payloads.add(Arrays.copyOf(encoder.payload(), encoder.length()));
    }
    return payloads;
  }

  /** A dictionary of at most that many bytes, or null if the samples have nothing in common. */
  static @Nullable Dictionary train(List<byte[]> payloads, int bytes, int level) {
    if (payloads.size() < LEAST_SAMPLES) {
      return null;
    }
    byte[] room = new byte[bytes];
    try {
      long length = Zstd.trainFromBuffer(payloads.toArray(byte[][]::new), room, false, level);
      return Zstd.isError(length) ? null : new Dictionary(Arrays.copyOf(room, (int) length));
    } catch (ZstdException e) {
      return null;
    }
  }

  static long compressedBytes(List<byte[]> payloads, Dictionary dictionary, int level) {
    try (ZstdDictCompress compress = new ZstdDictCompress(dictionary.bytes(), level);
        ZstdCompressCtx context = new ZstdCompressCtx()) {
      context.loadDict(compress);
      long bytes = 0;
      for (byte[] payload : payloads) {
        bytes += context.compress(payload).length;
      }
      return bytes;
    }
  }
}
