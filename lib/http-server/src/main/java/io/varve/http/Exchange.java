package io.varve.http;

import java.util.function.Consumer;

/**
 * One request and its response: the time for which the server has waited for the client to send the
 * body and to read the response, and the bytes transferred.
 */
final class Exchange {

  private final Consumer<Throwable> failing;
  private final Wait body = new Wait();
  private final Wait answer = new Wait();
  private boolean timedOut;

  /**
   * @param failing fails the read or write that waits for the client
   */
  Exchange(Consumer<Throwable> failing) {
    this.failing = failing;
  }

  synchronized void awaitsBody(long nowNanos) {
    body.begin(nowNanos);
  }

  synchronized void bodyCame(long nowNanos) {
    body.end(nowNanos);
  }

  synchronized void read(int bytes) {
    body.moved(bytes);
  }

  synchronized void sends(int bytes, long nowNanos) {
    answer.moved(bytes);
    answer.begin(nowNanos);
  }

  synchronized void sent(long nowNanos) {
    answer.end(nowNanos);
  }

  synchronized Verdict judge(long nowNanos, ClientPace pace) {
    if (body.isTooSlow(nowNanos, pace)) {
      return Verdict.BODY;
    }
    return answer.isTooSlow(nowNanos, pace) ? Verdict.ANSWER : Verdict.KEEP;
  }

  /** Returns true on the first call only. */
  synchronized boolean timeOut() {
    boolean first = !timedOut;
    timedOut = true;
    return first;
  }

  void fail(Throwable reason) {
    failing.accept(reason);
  }
}
