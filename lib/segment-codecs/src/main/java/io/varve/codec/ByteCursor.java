package io.varve.codec;

/** Reads an array sequentially. */
final class ByteCursor {

  final byte[] bytes;
  final int end;
  int at;

  ByteCursor(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  /** The next vint, or -1 if there is no valid one. */
  long number() {
    long value = 0;
    for (int shift = 0; shift < 63 && at < end; shift += 7) {
      byte b = bytes[at++];
      value |= (b & 0x7FL) << shift;
      if (b >= 0) {
        return b == 0 && shift > 0 ? -1 : value;
      }
    }
    return -1;
  }

  int size() {
    long value = number();
    if (value < 0 || value > Integer.MAX_VALUE - 64) {
      throw new IndexOutOfBoundsException("invalid length at " + at);
    }
    return (int) value;
  }
}
