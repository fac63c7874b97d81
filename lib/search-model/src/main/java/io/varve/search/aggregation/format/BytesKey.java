package io.varve.search.aggregation.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes as a key, ordered as unsigned bytes. The array is never modified. */
@SuppressWarnings("ArrayRecordComponent")
public record BytesKey(byte[] bytes) implements Comparable<BytesKey> {

  public static BytesKey of(String text) {
    return new BytesKey(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public int compareTo(BytesKey other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BytesKey key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
