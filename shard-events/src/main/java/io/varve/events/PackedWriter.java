package io.varve.events;

import java.util.Arrays;

/**
 * Writes the packed binary forms: unsigned varlongs (seven bits a byte, low first) and
 * length-prefixed bytes.
 */
public final class PackedWriter {

  private byte[] bytes;
  private int length;

  public PackedWriter(int expectedSizeBytes) {
    bytes = new byte[Math.max(16, expectedSizeBytes)];
  }

  public void writeByte(int value) {
    ensure(1);
    bytes[length++] = (byte) value;
  }

  public void writeVarLong(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("a packed number must be >= 0, was " + value);
    }
    ensure(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[length++] = (byte) ((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  public void writeBytes(byte[] value) {
    writeBytes(value, 0, value.length);
  }

  public void writeBytes(byte[] value, int from, int count) {
    writeVarLong(count);
    ensure(count);
    System.arraycopy(value, from, bytes, length, count);
    length += count;
  }

  public int sizeBytes() {
    return length;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  private void ensure(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }
}
