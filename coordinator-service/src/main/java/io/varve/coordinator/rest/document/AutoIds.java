package io.varve.coordinator.rest.document;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * Generates ids of 20 URL-safe characters that sort by creation time.
 *
 * <pre>
 *   64 bits  moment: milliseconds, then a counter of 20 bits
 *   56 bits  chosen once by this process
 * </pre>
 *
 * INVARIANT: in one process the moment strictly increases, even if the clock goes back. The
 * alphabet is sorted, so that consecutive ids are adjacent in a term dictionary.
 */
public final class AutoIds {

  private static final char[] ALPHABET =
      "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".toCharArray();
  private static final int COUNTER_BITS = 20;

  private final InstantSource clock;
  private final long process;
  private long last;

  public AutoIds(InstantSource clock, RandomGenerator chance) {
    this.clock = clock;
    this.process = chance.nextLong() >>> 8;
  }

  public AutoIds() {
    this(InstantSource.system(), new SecureRandom());
  }

  public String next() {
    long moment = nextMoment();
    char[] id = new char[20];
    for (int i = 0; i < id.length; i++) {
      id[i] = ALPHABET[bits(moment, i)];
    }
    return new String(id);
  }

  /** Returns the i-th group of 6 bits of the 120 bits. */
  private int bits(long moment, int i) {
    int shift = 114 - 6 * i;
    if (shift >= 56) {
      return (int) (moment >>> (shift - 56)) & 63;
    }
    // This group consists of the last bits of the moment and the first bits of the process.
    return shift > 50
        ? (int) ((moment << (56 - shift)) | (process >>> shift)) & 63
        : (int) (process >>> shift) & 63;
  }

  private synchronized long nextMoment() {
    last = Math.max(last + 1, clock.millis() << COUNTER_BITS);
    return last;
  }
}
