package io.varve.http;

import org.jspecify.annotations.Nullable;

/**
 * What the server waits for on one connection.
 *
 * <p>States: idle → headers, once bytes of a request have come; idle or headers → exchange, when
 * the headers are complete; exchange → idle, when the answer is complete.
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
   * {@code bytesIn} have come over the connection since it was opened. Ignored when the next
   * exchange has begun already.
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

  /** Says other than {@code KEEP} at most once; {@code scarce}: nearly as many as are allowed. */
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
