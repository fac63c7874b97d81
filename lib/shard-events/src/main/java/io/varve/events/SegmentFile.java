package io.varve.events;

import java.util.Objects;

/**
 * One immutable file of a Lucene segment. Its identity is header id, length and footer checksum,
 * never its name.
 *
 * @param headerId the 16-byte id of the file's index header, as hex
 * @param checksum the CRC-32 of the codec footer, as hex
 */
public record SegmentFile(String name, long lengthBytes, String checksum, String headerId) {

  public SegmentFile {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(checksum, "checksum");
    Objects.requireNonNull(headerId, "headerId");
    if (lengthBytes < 0) {
      throw new IllegalArgumentException(
          "length must be >= 0, was " + lengthBytes + " for " + name);
    }
    if (name.isEmpty()
        || name.indexOf('/') >= 0
        || name.indexOf('\\') >= 0
        || name.startsWith(".")) {
      throw new IllegalArgumentException("not a segment file name: [" + name + "]");
    }
  }

  /** Whether both files have the same content, regardless of name and location. */
  public boolean sameContent(SegmentFile other) {
    return lengthBytes == other.lengthBytes
        && checksum.equals(other.checksum)
        && headerId.equals(other.headerId);
  }
}
