package io.varve.client.consistency;

import io.varve.events.SessionToken;

/** What one request has written so far, from several threads. */
public final class WrittenMarks {

  private final SessionToken asked;
  private SessionToken written = SessionToken.NONE;

  /**
   * @param asked what the request brought
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
