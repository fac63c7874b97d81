package io.varve.codec;

import java.io.IOException;
import org.apache.lucene.codecs.compressing.Decompressor;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;

/**
 * Reads the chunks of Lucene's mode {@code BEST_SPEED}: the lengths of dictionary and blocks, the
 * dictionary, and about ten blocks that refer to it, each compressed separately.
 *
 * <p>Lucene's reader decodes the dictionary and the start of a block for each document. This class
 * keeps both, so that further documents of the chunk are decoded from the end of the last one. For
 * one reader of a file, and for one thread at a time.
 */
final class Lz4Decompressor extends Decompressor {

  private static final long NONE = -1;

  private final Lz4Sequences sequences = new Lz4Sequences();

  /** The start of the chunk to which the other fields belong. */
  private long chunk = NONE;

  private int dictionaryLength;
  private int blockLength;
  private int contentLength;

  /** The start of each block in the file, and the end of the last one. */
  private long[] starts = {};

  private int blocks;

  /** The block after the dictionary in {@link #decoded}, -1 for none. */
  private int block;

  private byte[] packed = {};
  private byte[] decoded = {};

  @Override
  public void decompress(DataInput in, int originalLength, int offset, int length, BytesRef bytes)
      throws IOException {
    bytes.offset = 0;
    bytes.length = length;
    if (length == 0) {
      return;
    }
    if (!(in instanceof IndexInput file)) {
      throw new IllegalArgumentException("not a file: " + in);
    }
    try {
      if (file.getFilePointer() != chunk || originalLength != contentLength) {
        begin(file, originalLength);
      }
      bytes.bytes = ArrayUtil.growNoCopy(bytes.bytes, length);
      copy(file, offset, length, bytes.bytes);
    } catch (Lz4Sequences.DamagedBlockException e) {
      chunk = NONE;
      throw new CorruptIndexException("damaged block: " + e.getMessage(), file, e);
    } catch (IOException | RuntimeException e) {
      chunk = NONE;
      throw e;
    }
    // The next slice of a long document is read from here.
    if (offset + length == originalLength) {
      file.seek(starts[blocks]);
    }
  }

  private void begin(IndexInput file, int originalLength)
      throws IOException, Lz4Sequences.DamagedBlockException {
    long at = file.getFilePointer();
    chunk = NONE;
    block = -1;
    contentLength = originalLength;
    dictionaryLength = file.readVInt();
    blockLength = file.readVInt();
    if (dictionaryLength < 0
        || dictionaryLength > originalLength
        || blockLength <= 0
        || blockLength > originalLength) {
      throw new CorruptIndexException(
          "a dictionary of "
              + dictionaryLength
              + " and blocks of "
              + blockLength
              + " bytes in a chunk of "
              + originalLength,
          file);
    }
    int packedDictionary = file.readVInt();
    readStarts(file, packedDictionary);
    decoded = ArrayUtil.growNoCopy(decoded, dictionaryLength + blockLength + Lz4Sequences.SLACK);
    if (dictionaryLength > 0) {
      read(file, starts[0] - packedDictionary, packedDictionary);
      sequences.begin(packed, packedDictionary, decoded, 0, dictionaryLength);
      sequences.decodeTo(dictionaryLength);
    }
    chunk = at;
  }

  private void readStarts(IndexInput file, int packedDictionary) throws IOException {
    blocks = (contentLength - dictionaryLength + blockLength - 1) / blockLength;
    starts = ArrayUtil.growNoCopy(starts, blocks + 1);
    long sum = packedDictionary;
    for (int i = 0; i < blocks; i++) {
      starts[i] = sum;
      sum += file.readVInt();
    }
    starts[blocks] = sum;
    long first = file.getFilePointer();
    for (int i = 0; i <= blocks; i++) {
      starts[i] += first;
      if (starts[i] < (i == 0 ? first : starts[i - 1]) || starts[i] > file.length()) {
        throw new CorruptIndexException("block " + i + " ends at " + starts[i], file);
      }
    }
  }

  private void read(IndexInput file, long from, int length) throws IOException {
    packed = ArrayUtil.growNoCopy(packed, length + Lz4Sequences.SLACK);
    file.seek(from);
    file.readBytes(packed, 0, length);
  }

  private void copy(IndexInput file, int offset, int length, byte[] to)
      throws IOException, Lz4Sequences.DamagedBlockException {
    int done = Math.min(Math.max(dictionaryLength - offset, 0), length);
    if (done > 0) {
      System.arraycopy(decoded, offset, to, 0, done);
    }
    while (done < length) {
      int at = offset + done - dictionaryLength;
      int wanted = at / blockLength;
      int within = at % blockLength;
      int piece = Math.min(length - done, blockLength - within);
      decode(file, wanted, within + piece);
      System.arraycopy(decoded, dictionaryLength + within, to, done, piece);
      done += piece;
    }
  }

  private void decode(IndexInput file, int wanted, int upTo)
      throws IOException, Lz4Sequences.DamagedBlockException {
    if (block != wanted) {
      block = -1;
      int length = (int) (starts[wanted + 1] - starts[wanted]);
      read(file, starts[wanted], length);
      int content = Math.min(blockLength, contentLength - dictionaryLength - wanted * blockLength);
      sequences.begin(packed, length, decoded, dictionaryLength, content);
      block = wanted;
    }
    sequences.decodeTo(dictionaryLength + upTo);
  }

  @Override
  public Decompressor clone() {
    return new Lz4Decompressor();
  }
}
