package io.varve.store;

import com.github.luben.zstd.ZstdCompressCtx;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.stream.IntStream;

/** Compresses a file while it is read; see {@link FrameTable}. */
final class PackedStream extends FilterInputStream {

  private static final int LEVEL = 3;

  private final FrameTable table;
  private final ZstdCompressCtx context = context();
  private int frame;
  private byte[] piece = new byte[0];
  private int position;
  private boolean tableGiven;

  /**
   * @param plain the bytes from which {@code table} was computed
   */
  PackedStream(InputStream plain, FrameTable table) {
    super(plain);
    this.table = table;
  }

  private static ZstdCompressCtx context() {
    return new ZstdCompressCtx().setLevel(LEVEL).setChecksum(true);
  }

  /** The frame table that compressing these bytes would produce. */
  static FrameTable measure(InputStream plain) throws IOException {
    long length = 0;
    IntStream.Builder lengths = IntStream.builder();
    try (ZstdCompressCtx context = context()) {
      for (byte[] content = next(plain); content.length > 0; content = next(plain)) {
        lengths.add(context.compress(content).length);
        length += content.length;
      }
    }
    return new FrameTable(lengths.build().toArray(), length);
  }

  @SuppressWarnings("ThreadPriorityCheck")
  private static byte[] next(InputStream plain) throws IOException {
    // Uploads run on virtual threads; compression would otherwise occupy all carrier threads.
    Thread.yield();
    return plain.readNBytes(FrameTable.CONTENT_BYTES);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (position == piece.length && !take()) {
      return -1;
    }
    int given = Math.min(length, piece.length - position);
    System.arraycopy(piece, position, buffer, offset, given);
    position += given;
    return given;
  }

  /** Produces the next frame, or the table after the last one; returns whether there was any. */
  private boolean take() throws IOException {
    byte[] content = next(in);
    position = 0;
    if (content.length > 0) {
      piece = context.compress(content);
      if (piece.length != table.frameBytes(frame++)) {
        throw new IOException("the local file changed while it was compressed");
      }
    } else {
      piece = tableGiven ? new byte[0] : table.bytes();
      tableGiven = true;
    }
    return piece.length > 0;
  }

  @Override
  public void close() throws IOException {
    context.close();
    super.close();
  }
}
