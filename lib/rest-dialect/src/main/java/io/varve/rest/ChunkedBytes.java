package io.varve.rest;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes whose number is not known in advance. They are collected in chunks, each at most a quarter
 * of those before it, which are joined once at the end: at most 9/4 of the bytes, and 4 KB, are
 * held. The account counts each chunk before it is allocated, the joined array, and the body that
 * is being converted, if any.
 */
final class ChunkedBytes extends OutputStream {

  private static final int FIRST_BYTES = 4 << 10;
  private static final int LARGEST_BYTES = 1 << 20;

  private final InFlightRequests.Account held;
  private final long convertedBytes;
  private final List<byte[]> full = new ArrayList<>();
  private byte[] chunk = {};
  private int filled;
  private long fullBytes;

  /**
   * @param convertedBytes size of the body that these bytes are made from; 0 if they are the body
   */
  ChunkedBytes(InFlightRequests.Account held, long convertedBytes) {
    this.held = held;
    this.convertedBytes = convertedBytes;
  }

  /** Reads to the end of the stream, but at most {@code maxBytes}. */
  static ChunkedBytes of(InputStream in, long maxBytes, InFlightRequests.Account held)
      throws IOException {
    ChunkedBytes bytes = new ChunkedBytes(held, 0);
    int read = 1;
    while (read > 0 && bytes.size() < maxBytes) {
      int room = bytes.room();
      read =
          in.readNBytes(bytes.chunk, bytes.filled, (int) Math.min(room, maxBytes - bytes.size()));
      bytes.filled += read;
    }
    return bytes;
  }

  long size() {
    return fullBytes + filled;
  }

  @Override
  public void write(int value) {
    room();
    chunk[filled++] = (byte) value;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    int written = 0;
    while (written < length) {
      int count = Math.min(room(), length - written);
      System.arraycopy(bytes, offset + written, chunk, filled, count);
      filled += count;
      written += count;
    }
  }

  /** The room in the current chunk, which is replaced when it is full. */
  private int room() {
    if (filled == chunk.length) {
      int next = Math.clamp(size() / 4, FIRST_BYTES, LARGEST_BYTES);
      hold(size() + next, 0);
      if (filled > 0) {
        full.add(chunk);
        fullBytes += filled;
      }
      chunk = new byte[next];
      filled = 0;
    }
    return chunk.length - filled;
  }

  /** All bytes; the chunks are released. */
  byte[] join() {
    int size = Math.toIntExact(size());
    hold(fullBytes + chunk.length, size);
    byte[] joined = new byte[size];
    int offset = 0;
    for (byte[] one : full) {
      System.arraycopy(one, 0, joined, offset, one.length);
      offset += one.length;
    }
    System.arraycopy(chunk, 0, joined, offset, filled);
    full.clear();
    chunk = new byte[0];
    held.hold(size, 0);
    return joined;
  }

  private void hold(long chunkBytes, long joinedBytes) {
    if (convertedBytes == 0) {
      held.hold(chunkBytes, joinedBytes);
    } else {
      held.hold(convertedBytes, chunkBytes + joinedBytes);
    }
  }
}
