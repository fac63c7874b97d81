package io.varve.events;

import org.jspecify.annotations.Nullable;

/**
 * A record as the message log stores it: key, value and the one packed header {@code varve}.
 *
 * <p>The arrays are shared, not copied: whoever makes a record gives them up.
 *
 * @param header the packed header, see {@link RecordHeader}; empty for records of topics that are
 *     not fenced
 */
@SuppressWarnings("ArrayRecordComponent")
public record RawRecord(byte @Nullable [] key, byte @Nullable [] value, byte[] header) {

  private static final byte[] NO_HEADER = new byte[0];

  /** A record of a topic that is not fenced: manifests, progress, heartbeats. */
  public static RawRecord keyed(byte[] key, byte @Nullable [] value) {
    return new RawRecord(key, value, NO_HEADER);
  }

  public int sizeBytes() {
    return (key == null ? 0 : key.length) + (value == null ? 0 : value.length) + header.length;
  }
}
