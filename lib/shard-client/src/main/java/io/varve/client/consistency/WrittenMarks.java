package io.varve.client.consistency;

import io.varve.events.SessionToken;

/** The seq_nos that one request has written so far. Thread-safe. */
public final class WrittenMarks {

  private final SessionToken asked;
  private SessionToken written = SessionToken.NONE;

  /**
   * @param asked the session token of the request
   */
  public WrittenMarks(SessionToken asked) {
    this.asked = asked;
  }

  public SessionToken asked() {
    return asked;
  }

  public synchronized void add(SessionToken more) {
    written = written.plus(more);
  }

  public synchronized SessionToken written() {
    return written;
  }
}
