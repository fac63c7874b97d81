package io.varve.events;

import org.jspecify.annotations.Nullable;

/**
 * A record as stored by the message log: key, value and the packed header {@code varve}.
 *
 * <p>The arrays are shared, not copied: callers must not modify them afterwards.
 *
 * @param header the packed header, see {@link RecordHeader}; empty for records of unfenced topics
 */
@SuppressWarnings("ArrayRecordComponent")
public record RawRecord(byte @Nullable [] key, byte @Nullable [] value, byte[] header) {

  private static final byte[] NO_HEADER = new byte[0];

  /** A record of an unfenced topic: manifests, progress, heartbeats. */
  public static RawRecord keyed(byte[] key, byte @Nullable [] value) {
    return new RawRecord(key, value, NO_HEADER);
  }

  public int sizeBytes() {
    return (key == null ? 0 : key.length) + (value == null ? 0 : value.length) + header.length;
  }
}
