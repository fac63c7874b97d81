package io.varve.events;

import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a record among all records that a log may ever hold at one offset. After a log was
 * restored from a copy and written again, offsets, terms and seq_nos repeat; append times and
 * contents do not.
 *
 * <pre>
 *   digest = CRC-32C(header, key, value) * 2^31 + append time in ms mod 2^31      in [0, 2^63)
 * </pre>
 *
 * Digests are stored in records and commits: a change of the formula needs a feature level.
 */
public final class RecordDigest {

  /** Digest of an unknown record. */
  public static final long UNKNOWN = -1;

  private static final int TIME_BITS = 31;
  private static final long TIME_MASK = (1L << TIME_BITS) - 1;

  private RecordDigest() {}

  public static long of(StoredRecord stored) {
    CRC32C crc = new CRC32C();
    update(crc, stored.record().header());
    update(crc, stored.record().key());
    update(crc, stored.record().value());
    return (crc.getValue() << TIME_BITS) | (stored.timestampMillis() & TIME_MASK);
  }

  /**
   * Each part is preceded by its length, so that moving a byte between two parts changes the
   * digest.
   */
  private static void update(CRC32C crc, byte @Nullable [] part) {
    int length = part == null ? -1 : part.length;
    for (int shift = 24; shift >= 0; shift -= 8) {
      crc.update(length >>> shift);
    }
    if (part != null) {
      crc.update(part);
    }
  }
}
