package io.varve.http;

/** What the watch does with a connection. */
enum Verdict {
  KEEP("kept"),
  /** Close: it is idle between requests while connections are scarce. */
  IDLE("it was idle while connections were scarce"),
  /** Close: the headers of a request did not end in time. */
  HEADERS("the headers of a request did not end within http.header-timeout"),
  /** Fail the read: the body of a request comes too slowly. */
  BODY("the body came more slowly than http.min-rate"),
  /** Fail the write: the client takes an answer too slowly. */
  ANSWER("the answer was taken more slowly than http.min-rate");

  private final String reason;

  Verdict(String reason) {
    this.reason = reason;
  }

  /** Whether a read or write under way fails, so that its request can still be answered. */
  boolean endsExchange() {
    return this == BODY || this == ANSWER;
  }

  String reason() {
    return reason;
  }
}
