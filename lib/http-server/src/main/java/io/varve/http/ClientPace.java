package io.varve.http;

/**
 * Decides whether a client is too slow.
 *
 * <p>Only time during which the server waits for the client counts. Within {@code waited} seconds a
 * client must transfer {@code bytesPerSecond × (waited − grace)} bytes: stalls shorter than the
 * grace are always allowed, and bytes transferred early allow longer ones.
 *
 * @param headerNanos from the first byte of a request to the end of its headers
 * @param graceNanos waiting time before the rate applies
 * @param bytesPerSecond minimum average rate; 0 for no limit
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

  /** Whether an idle connection is closed while connections are scarce. */
  boolean idleTooLong(long idleNanos) {
    return idleNanos > graceNanos;
  }
}
