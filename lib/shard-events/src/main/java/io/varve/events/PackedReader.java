package io.varve.events;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the format of {@link PackedWriter}; anything else throws {@link MalformedRecordException}.
 */
public final class PackedReader {

  private final byte[] bytes;
  private final int end;
  private int position;

  public PackedReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  public PackedReader(byte[] bytes, int from, int count) {
    this.bytes = bytes;
    this.position = from;
    this.end = from + count;
  }

  public int readByte() {
    if (position >= end) {
      throw new MalformedRecordException("truncated after " + position + " bytes");
    }
    return bytes[position++] & 0xFF;
  }

  public long readVarLong() {
    long value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      int next = readByte();
      value |= (long) (next & 0x7F) << shift;
      if ((next & 0x80) == 0) {
        return value;
      }
    }
    throw new MalformedRecordException("a packed number of more than 63 bits at byte " + position);
  }

  public byte[] readBytes() {
    int count = skipLength();
    byte[] value = Arrays.copyOfRange(bytes, position, position + count);
    position += count;
    return value;
  }

  /** Reads length-prefixed UTF-8. */
  public String readText() {
    int count = skipLength();
    String text = new String(bytes, position, count, StandardCharsets.UTF_8);
    position += count;
    return text;
  }

  /**
   * Reads a length and leaves the position at the first byte, for callers that use slices instead
   * of copies.
   */
  public int skipLength() {
    long count = readVarLong();
    if (count > end - position) {
      throw new MalformedRecordException(
          "length " + count + " at byte " + position + " exceeds the end at " + end);
    }
    return (int) count;
  }

  /** Reads the number of the elements of a fixed size that follow. They must be present. */
  public int readCount(int sizeBytes) {
    long count = readVarLong();
    if (count > (end - position) / sizeBytes) {
      throw new MalformedRecordException(
          count
              + " elements of "
              + sizeBytes
              + " bytes at byte "
              + position
              + " exceed the end at "
              + end);
    }
    return (int) count;
  }

  public int position() {
    return position;
  }

  public void skip(int count) {
    if (count < 0 || count > end - position) {
      throw new MalformedRecordException("cannot skip " + count + " bytes at " + position);
    }
    position += count;
  }

  public boolean hasMore() {
    return position < end;
  }
}
