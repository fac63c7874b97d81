package io.varve.store;

import java.io.IOException;
import java.io.InputStream;

/** The first {@code n} bytes of a stream. */
final class LimitedStream extends InputStream {

  private final InputStream in;
  private long left;

  LimitedStream(InputStream in, long length) {
    this.in = in;
    this.left = length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (left <= 0) {
      return -1;
    }
    int got = in.read(buffer, offset, (int) Math.min(left, length));
    if (got > 0) {
      left -= got;
    }
    return got;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
