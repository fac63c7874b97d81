package io.varve.store;

/**
 * Decides how long a copy waits for a peer that is fetching the same manifest: as long as the peer
 * makes progress, up to a limit.
 *
 * <pre>
 *   the peer's missing bytes reach a new minimum    keep waiting
 *   no progress for {@code stallMillis}             ask another source
 *   {@code limitMillis} since the start             ask another source
 * </pre>
 *
 * <p>No clock: the caller passes the time. Not thread-safe.
 */
public final class PeerWait {

  /**
   * @param stallMillis maximum time without progress
   * @param limitMillis maximum total time
   */
  public record Limits(long stallMillis, long limitMillis) {

    public static final Limits DEFAULT = new Limits(2_000, 60_000);

    /** Never waits: only files already present at the peer are used. */
    public static final Limits NONE = new Limits(0, 0);

    public Limits {
      if (stallMillis < 0 || limitMillis < stallMillis) {
        throw new IllegalArgumentException(
            "0 <= stall <= limit, was " + stallMillis + " ms, " + limitMillis + " ms");
      }
    }

    /** The same limits, capped. */
    public Limits within(long millis) {
      long limit = Math.max(0, Math.min(limitMillis, millis));
      return new Limits(Math.min(stallMillis, limit), limit);
    }
  }

  private final Limits limits;
  private final long beganMillis;
  private long progressMillis;
  private long fewestMissing = Long.MAX_VALUE;

  public PeerWait(Limits limits, long nowMillis) {
    this.limits = limits;
    this.beganMillis = nowMillis;
    this.progressMillis = nowMillis;
  }

  /** Records the bytes that the peer still lacks. */
  public void lacks(long missingBytes, long nowMillis) {
    if (missingBytes < fewestMissing) {
      // The first report is not progress: the peer may already have stalled.
      progressMillis = fewestMissing == Long.MAX_VALUE ? progressMillis : nowMillis;
      fewestMissing = missingBytes;
    }
  }

  /** The remaining time to wait; 0 to ask another source. */
  public long leftMillis(long nowMillis) {
    long untilStall = progressMillis + limits.stallMillis() - nowMillis;
    long untilLimit = beganMillis + limits.limitMillis() - nowMillis;
    return Math.max(0, Math.min(untilStall, untilLimit));
  }
}
