package io.varve.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.codecs.compressing.Compressor;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.DataOutput;
import org.jspecify.annotations.Nullable;

/**
 * Writes blocks: {@code length of the frame, length of its content, frame}. The frame contains a
 * checksum of its content, so that a changed bit or a different dictionary is detected.
 *
 * <p>A block is laid out by columns or by rows. The first blocks, and then one of {@value
 * #BLOCKS_PER_TRIAL}, are encoded in both layouts; the smaller layout is used until the next trial.
 */
final class BlockCompressor extends Compressor {

  private static final int FIRST_TRIALS = 3;
  private static final int BLOCKS_PER_TRIAL = 32;

  private static final LongAdder WRITTEN = new LongAdder();
  private static final AtomicInteger OPEN = new AtomicInteger();

  private final ZstdCompressCtx context;
  private final @Nullable ZstdDictCompress dictionary;
  private final ColumnEncoder encoder = new ColumnEncoder();
  private final ColumnEncoder rows = new ColumnEncoder();
  private byte[] block = new byte[0];
  private byte[] frame = new byte[0];
  private byte[] otherFrame = new byte[0];
  private final ContentBytes content = ContentBytes.ofWriter();
  private long blocks;
  private boolean rowsWon;
  private boolean closed;

  BlockCompressor(Coding coding, @Nullable Dictionary dictionary) {
    this.dictionary =
        dictionary == null ? null : new ZstdDictCompress(dictionary.bytes(), coding.zstdLevel());
    context = new ZstdCompressCtx();
    context.setLevel(coding.zstdLevel());
    context.setMagicless(true);
    context.setChecksum(true);
    context.setContentSize(false);
    context.setDictID(false);
    context.loadDict(this.dictionary);
    OPEN.incrementAndGet();
    content.isOf(this);
  }

  /** Compressors that are not closed yet. */
  static int open() {
    return OPEN.get();
  }

  @Override
  public void compress(ByteBuffersDataInput in, DataOutput out) throws IOException {
    int size = Math.toIntExact(in.length() - in.position());
    if (block.length < size) {
      block = new byte[size + size / 4];
    }
    in.readBytes(block, 0, size);
    content.add(size);
    boolean trial = blocks < FIRST_TRIALS || blocks % BLOCKS_PER_TRIAL == 0;
    blocks++;
    boolean columns = (trial || !rowsWon) && encoder.columns(block, size);
    int columnBytes = columns ? compressed(encoder) : Integer.MAX_VALUE;
    if (!columns || trial) {
      byte[] columnFrame = frame;
      frame = otherFrame;
      rows.rows(block, size);
      int rowBytes = compressed(rows);
      if (columns) {
        rowsWon = rowBytes < columnBytes;
      }
      if (rowBytes < columnBytes) {
        otherFrame = columnFrame;
        write(rowBytes, rows, out);
        return;
      }
      otherFrame = frame;
      frame = columnFrame;
    }
    write(columnBytes, encoder, out);
  }

  private int compressed(ColumnEncoder payload) {
    int bound = Math.toIntExact(Zstd.compressBound(payload.length()));
    if (frame.length < bound) {
      frame = new byte[bound];
    }
    return context.compressByteArray(
        frame, 0, frame.length, payload.payload(), 0, payload.length());
  }

  private void write(int frameBytes, ColumnEncoder payload, DataOutput out) throws IOException {
    WRITTEN.increment();
    out.writeVInt(frameBytes);
    out.writeVInt(payload.length());
    out.writeBytes(frame, 0, frameBytes);
  }

  /** Blocks encoded by this process; blocks that a merge copies are not counted. */
  static long blocksWritten() {
    return WRITTEN.sum();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      OPEN.decrementAndGet();
      // The context references the dictionary, which must not be closed before it.
      context.close();
      if (dictionary != null) {
        dictionary.close();
      }
    }
  }
}
