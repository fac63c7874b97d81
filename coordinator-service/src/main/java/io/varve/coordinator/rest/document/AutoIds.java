package io.varve.coordinator.rest.document;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * Makes up ids of 20 URL-safe characters that sort by the time of their making.
 *
 * <pre>
 *   64 bits  moment: milliseconds, then 20 bits that count      56 bits  chosen once by this process
 * </pre>
 *
 * INVARIANT: the moment never repeats and never goes back in one process, also when the clock does.
 * The alphabet stands in the order of its characters, so that ids made one after the other lie side
 * by side in an index of terms.
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

  /** The i-th six of the 120 bits. */
  private int bits(long moment, int i) {
    int shift = 114 - 6 * i;
    if (shift >= 56) {
      return (int) (moment >>> (shift - 56)) & 63;
    }
    // The group in which the moment ends and the process begins.
    return shift > 50
        ? (int) ((moment << (56 - shift)) | (process >>> shift)) & 63
        : (int) (process >>> shift) & 63;
  }

  private synchronized long nextMoment() {
    last = Math.max(last + 1, clock.millis() << COUNTER_BITS);
    return last;
  }
}
