package io.varve.events;

import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Writes the packed binary format: unsigned varlongs (seven bits per byte, low bits first) and
 * length-prefixed bytes.
 */
public final class PackedWriter {

  /** Arrays below this size bypass the supplied allocator. */
  private static final int LARGE_BYTES = 64 * 1024;

  private final IntFunction<byte[]> largeArrays;
  private byte[] bytes;
  private int length;

  public PackedWriter(int expectedSizeBytes) {
    this(expectedSizeBytes, byte[]::new);
  }

  /**
   * @param largeArrays allocates large arrays, and throws if the heap has no room
   */
  public PackedWriter(int expectedSizeBytes, IntFunction<byte[]> largeArrays) {
    this.largeArrays = largeArrays;
    bytes = copied(new byte[0], Math.max(16, expectedSizeBytes));
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
    return copied(bytes, length);
  }

  private void ensure(int more) {
    if (bytes.length - length < more) {
      bytes = copied(bytes, grown(length + (long) more));
    }
  }

  private int grown(long needed) {
    if (needed > Integer.MAX_VALUE - 16) {
      throw new IllegalStateException("more than 2 GB in one packed form");
    }
    return (int) Math.clamp(bytes.length * 2L, needed, Integer.MAX_VALUE - 16);
  }

  private byte[] copied(byte[] from, int sizeBytes) {
    if (sizeBytes < LARGE_BYTES) {
      return Arrays.copyOf(from, sizeBytes);
    }
    byte[] copy = largeArrays.apply(sizeBytes);
    System.arraycopy(from, 0, copy, 0, Math.min(from.length, sizeBytes));
    return copy;
  }
}
