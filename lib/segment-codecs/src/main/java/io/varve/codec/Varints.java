package io.varve.codec;

/** Writes variable-length integers with seven bits per byte, as Lucene does. */
final class Varints {

  private Varints() {}

  static int length(long value) {
    return Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7);
  }

  /** Returns the position after the number. */
  static int write(byte[] bytes, int at, long value) {
    int i = at;
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[i++] = (byte) ((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    bytes[i++] = (byte) rest;
    return i;
  }
}
