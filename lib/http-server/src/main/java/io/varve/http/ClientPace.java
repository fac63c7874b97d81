package io.varve.http;

/**
 * Decides whether a client keeps the server waiting for too long.
 *
 * <p>Only time in which the server waits for the client counts. In {@code waited} seconds a client
 * has to move {@code bytesPerSecond × (waited − grace)} bytes, so a stall shorter than the grace is
 * always allowed, and bytes that came early allow for a longer one.
 *
 * @param headerNanos from the first byte of a request to the end of its headers
 * @param graceNanos before the rate counts
 * @param bytesPerSecond least average rate; 0 for no limit
 */
record ClientPace(long headerNanos, long graceNanos, long bytesPerSecond) {

  private static final double NANOS_PER_SECOND = 1e9;

  boolean lateHeaders(long waitedNanos) {
    return waitedNanos > headerNanos;
  }

  boolean tooSlow(long waitedNanos, long bytes) {
    return bytesPerSecond > 0
        && (waitedNanos - graceNanos) / NANOS_PER_SECOND * bytesPerSecond > bytes;
  }

  /** Whether an idle connection is closed when connections are scarce. */
  boolean idleTooLong(long idleNanos) {
    return idleNanos > graceNanos;
  }
}
