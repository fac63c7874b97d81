package io.varve.store;

/**
 * How long a copy waits for another that is on its way to the same manifest: as long as that one
 * comes nearer, and never beyond a limit.
 *
 * <pre>
 *   it lacks fewer bytes than ever before      it goes on
 *   no fewer for {@code stallMillis}           ask somebody else
 *   {@code limitMillis} since the beginning    ask somebody else
 * </pre>
 *
 * <p>No clock: the time comes in with each call. Not thread-safe.
 */
public final class PeerPatience {

  /**
   * @param stallMillis without any progress
   * @param limitMillis altogether
   */
  public record Limits(long stallMillis, long limitMillis) {

    public static final Limits DEFAULT = new Limits(2_000, 60_000);

    /** Only what is there already is taken. */
    public static final Limits NONE = new Limits(0, 0);

    public Limits {
      if (stallMillis < 0 || limitMillis < stallMillis) {
        throw new IllegalArgumentException(
            "0 <= stall <= limit, was " + stallMillis + " ms, " + limitMillis + " ms");
      }
    }

    /** The same, but not longer than that. */
    public Limits within(long millis) {
      long limit = Math.max(0, Math.min(limitMillis, millis));
      return new Limits(Math.min(stallMillis, limit), limit);
    }
  }

  private final Limits limits;
  private final long beganMillis;
  private long progressMillis;
  private long fewestMissing = Long.MAX_VALUE;

  public PeerPatience(Limits limits, long nowMillis) {
    this.limits = limits;
    this.beganMillis = nowMillis;
    this.progressMillis = nowMillis;
  }

  /** It said that it lacks so much. */
  public void lacks(long missingBytes, long nowMillis) {
    if (missingBytes < fewestMissing) {
      // The first word of it is no progress yet: it may have stood there for long.
      progressMillis = fewestMissing == Long.MAX_VALUE ? progressMillis : nowMillis;
      fewestMissing = missingBytes;
    }
  }

  /** For how long to wait from now on, 0 to ask somebody else. */
  public long leftMillis(long nowMillis) {
    long untilStall = progressMillis + limits.stallMillis() - nowMillis;
    long untilLimit = beganMillis + limits.limitMillis() - nowMillis;
    return Math.max(0, Math.min(untilStall, untilLimit));
  }
}
