package io.varve.http;

import org.jspecify.annotations.Nullable;

/**
 * State of one connection: what the server waits for.
 *
 * <p>States: idle → headers, when bytes of a request have arrived; idle or headers → exchange, when
 * the headers are complete; exchange → idle, when the response is complete.
 */
final class WatchedConnection {

  private long idleSinceNanos;
  private boolean inHeaders;
  private long headersSinceNanos;
  private long bytesInBefore;
  private @Nullable Exchange exchange;
  private boolean ended;

  WatchedConnection(long nowNanos) {
    idleSinceNanos = nowNanos;
  }

  synchronized void begin(Exchange begun) {
    exchange = begun;
    inHeaders = false;
  }

  /**
   * Ends an exchange; ignored if the next one has already begun.
   *
   * @param bytesIn received on the connection since it was opened
   */
  synchronized void end(Exchange over, long nowNanos, long bytesIn) {
    if (exchange == over) {
      exchange = null;
      bytesInBefore = bytesIn;
      idleSinceNanos = nowNanos;
    }
  }

  synchronized @Nullable Exchange exchange() {
    return exchange;
  }

  /**
   * Returns a verdict other than {@code KEEP} at most once.
   *
   * @param scarce whether the number of connections is near its limit
   */
  synchronized Verdict judge(long nowNanos, long bytesIn, ClientPace pace, boolean scarce) {
    if (ended) {
      return Verdict.KEEP;
    }
    Verdict verdict =
        exchange == null
            ? betweenExchanges(nowNanos, bytesIn, pace, scarce)
            : exchange.judge(nowNanos, pace);
    ended = verdict != Verdict.KEEP;
    return verdict;
  }

  private Verdict betweenExchanges(long nowNanos, long bytesIn, ClientPace pace, boolean scarce) {
    if (bytesIn == bytesInBefore) {
      return scarce && pace.idleTooLong(nowNanos - idleSinceNanos) ? Verdict.IDLE : Verdict.KEEP;
    }
    if (!inHeaders) {
      inHeaders = true;
      headersSinceNanos = nowNanos;
    }
    return pace.lateHeaders(nowNanos - headersSinceNanos) ? Verdict.HEADERS : Verdict.KEEP;
  }
}
