package io.varve.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictDecompress;
import com.github.luben.zstd.ZstdException;
import java.io.EOFException;
import java.io.IOException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.DataInput;
import org.jspecify.annotations.Nullable;

/**
 * Decodes blocks in native memory and keeps the block that was decoded last. {@link BlockDecoders}
 * lends it to one thread at a time.
 */
final class BlockDecoder implements AutoCloseable {

  /** An upper bound, with a large margin, of the factor by which a layout may enlarge a block. */
  private static final int MOST_GROWTH = 16;

  private static final int LARGEST_CONTENT = 1 << 28;

  private final ZstdDecompressCtx context = new ZstdDecompressCtx().setMagicless(true);
  private final ColumnDecoder columns = new ColumnDecoder();
  private byte[] frame = new byte[0];
  private @Nullable Object owner;
  private long position;
  private long end;
  private int size;

  /** Whether the last block is the one at this position of the file, identified by object. */
  @SuppressWarnings("ReferenceEquality")
  boolean holds(Object file, long at) {
    return owner == file && position == at;
  }

  /** The position in the file after the last block. */
  long end() {
    return end;
  }

  int size() {
    return size;
  }

  /**
   * Reads a block.
   *
   * @param at position in the file, for error messages
   * @param length expected length of the block; lengths in the file that exceed what such a block
   *     can need are refused before memory is allocated
   */
  void read(DataInput in, long at, int length, @Nullable ZstdDictDecompress dictionary)
      throws IOException {
    owner = null;
    try {
      long frameBytes = number(in);
      long contentBytes = number(in);
      if (contentBytes < 1
          || contentBytes > Math.min(LARGEST_CONTENT, 256 + (long) MOST_GROWTH * length)
          || frameBytes < 1
          || frameBytes > Zstd.compressBound(contentBytes)) {
        throw corrupt("invalid lengths " + frameBytes + " and " + contentBytes, at, in, null);
      }
      load(in, (int) frameBytes);
      int decoded = decode((int) frameBytes, (int) contentBytes, dictionary);
      if (decoded != contentBytes) {
        throw corrupt(decoded + " bytes instead of " + contentBytes, at, in, null);
      }
      size = columns.load(decoded);
    } catch (EOFException
        | ZstdException
        | IndexOutOfBoundsException
        | NegativeArraySizeException e) {
      throw corrupt(String.valueOf(e.getMessage()), at, in, e);
    }
  }

  /** Reads a vint, or returns -1 if there is no valid one. */
  private static long number(DataInput in) throws IOException {
    long value = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      byte b = in.readByte();
      value |= (b & 0x7FL) << shift;
      if (b >= 0) {
        return value;
      }
    }
    return -1;
  }

  private void load(DataInput in, int frameBytes) throws IOException {
    if (frame.length < frameBytes) {
      frame = new byte[frameBytes + frameBytes / 4];
    }
    in.readBytes(frame, 0, frameBytes);
  }

  private int decode(int frameBytes, int contentBytes, @Nullable ZstdDictDecompress dictionary) {
    byte[] payload = columns.payload(contentBytes);
    if (dictionary == null) {
      return context.decompressByteArray(payload, 0, contentBytes, frame, 0, frameBytes);
    }
    context.loadDict(dictionary);
    try {
      return context.decompressByteArray(payload, 0, contentBytes, frame, 0, frameBytes);
    } finally {
      // Drops the reference, so that the dictionary's holder may close it.
      context.loadDict((ZstdDictDecompress) null);
    }
  }

  void remember(Object file, long at, long endOfBlock) {
    owner = file;
    position = at;
    end = endOfBlock;
  }

  void copy(int offset, int length, byte[] target, DataInput in) throws IOException {
    try {
      columns.copy(offset, length, target);
    } catch (IndexOutOfBoundsException e) {
      throw corrupt(String.valueOf(e.getMessage()), position, in, e);
    }
  }

  static CorruptIndexException corrupt(
      String what, long at, DataInput in, @Nullable Throwable cause) {
    return new CorruptIndexException(
        "block of stored fields at offset " + at + " fails its checksum or is truncated: " + what,
        in,
        cause);
  }

  @Override
  public void close() {
    context.close();
  }
}
