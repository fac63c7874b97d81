package io.varve.codec;

import java.util.Arrays;
import java.util.zip.CRC32C;
import org.apache.lucene.util.StringHelper;

/**
 * The dictionary of a segment's blocks. Its id is derived from its bytes, so equal dictionaries
 * have equal ids.
 */
final class Dictionary {

  private final byte[] bytes;
  private final String id;

  Dictionary(byte[] bytes) {
    this.bytes = bytes.clone();
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    int murmur = StringHelper.murmurhash3_x86_32(bytes, 0, bytes.length, bytes.length);
    this.id = "%08x%08x".formatted((int) crc.getValue(), murmur);
  }

  String id() {
    return id;
  }

  /** The bytes, which must not be modified. */
  byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Dictionary that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return id;
  }
}
