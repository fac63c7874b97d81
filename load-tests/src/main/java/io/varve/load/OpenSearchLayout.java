package io.varve.load;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import com.github.luben.zstd.ZstdDictDecompress;
import java.io.IOException;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.compressing.CompressionMode;
import org.apache.lucene.codecs.compressing.Compressor;
import org.apache.lucene.codecs.compressing.Decompressor;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene90.compressing.Lucene90CompressingStoredFieldsFormat;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.util.BytesRef;

/**
 * The layout of OpenSearch's codec {@code zstd}, so that it can be measured in the same process.
 * The first sixtieth of each chunk of 480 KB is the dictionary for the rest of the chunk, which is
 * compressed in ten blocks. Native objects are created per call. The data can be read only through
 * the writer that wrote it.
 */
final class OpenSearchLayout extends FilterCodec {

  private static final int CHUNK_BYTES = 10 * 48 * 1024;
  private static final int BLOCKS = 10;
  private static final int DICTIONARY_SHARE = 60;

  private final StoredFieldsFormat storedFields;

  OpenSearchLayout(int level) {
    super("BenchZstd", new Lucene104Codec());
    storedFields =
        new Lucene90CompressingStoredFieldsFormat(
            "BenchZstd", new Mode(level), CHUNK_BYTES, 4096, 10);
  }

  @Override
  public StoredFieldsFormat storedFieldsFormat() {
    return storedFields;
  }

  private static final class Mode extends CompressionMode {

    private final int level;

    Mode(int level) {
      this.level = level;
    }

    @Override
    public Compressor newCompressor() {
      return new Writing(level);
    }

    @Override
    public Decompressor newDecompressor() {
      return new Reading();
    }
  }

  private static final class Writing extends Compressor {

    private final int level;

    Writing(int level) {
      this.level = level;
    }

    @Override
    public void compress(ByteBuffersDataInput in, DataOutput out) throws IOException {
      int length = (int) (in.length() - in.position());
      byte[] chunk = new byte[length];
      in.readBytes(chunk, 0, length);
      int dictionaryLength = length / DICTIONARY_SHARE;
      int blockLength = Math.max(1, (length - dictionaryLength + BLOCKS - 1) / BLOCKS);
      out.writeVInt(dictionaryLength);
      out.writeVInt(blockLength);
      try (ZstdDictCompress dictionary = new ZstdDictCompress(chunk, 0, dictionaryLength, level);
          ZstdCompressCtx context = new ZstdCompressCtx()) {
        context.setLevel(level);
        write(context, chunk, 0, dictionaryLength, out);
        context.loadDict(dictionary);
        for (int from = dictionaryLength; from < length; from += blockLength) {
          write(context, chunk, from, Math.min(blockLength, length - from), out);
        }
      }
    }

    private static void write(
        ZstdCompressCtx context, byte[] chunk, int from, int length, DataOutput out)
        throws IOException {
      byte[] frame = new byte[(int) Zstd.compressBound(length)];
      int bytes = context.compressByteArray(frame, 0, frame.length, chunk, from, length);
      out.writeVInt(bytes);
      out.writeBytes(frame, bytes);
    }

    @Override
    public void close() {}
  }

  private static final class Reading extends Decompressor {

    @Override
    public void decompress(DataInput in, int originalLength, int offset, int length, BytesRef bytes)
        throws IOException {
      if (length > 0) {
        bytes.bytes = chunk(in, originalLength, offset, length);
        bytes.offset = offset;
      }
      bytes.length = length;
    }

    /** Returns a chunk in which only the requested part is filled; the rest is zero. */
    private static byte[] chunk(DataInput in, int originalLength, int offset, int length)
        throws IOException {
      int dictionaryLength = in.readVInt();
      int blockLength = in.readVInt();
      byte[] chunk = new byte[originalLength];
      try (ZstdDecompressCtx context = new ZstdDecompressCtx()) {
        read(context, in, chunk, 0, dictionaryLength);
        try (ZstdDictDecompress dictionary = new ZstdDictDecompress(chunk, 0, dictionaryLength)) {
          context.loadDict(dictionary);
          for (int from = dictionaryLength; from < originalLength; from += blockLength) {
            int size = Math.min(blockLength, originalLength - from);
            if (from + size > offset && from < offset + length) {
              read(context, in, chunk, from, size);
            } else {
              in.skipBytes(in.readVInt());
            }
          }
          context.loadDict((ZstdDictDecompress) null);
        }
      }
      return chunk;
    }

    private static void read(
        ZstdDecompressCtx context, DataInput in, byte[] chunk, int from, int size)
        throws IOException {
      byte[] frame = new byte[in.readVInt()];
      in.readBytes(frame, 0, frame.length);
      context.decompressByteArray(chunk, from, size, frame, 0, frame.length);
    }

    @Override
    public Decompressor clone() {
      return new Reading();
    }
  }
}
