package io.varve.http;

/** The decision on a connection. */
enum Verdict {
  KEEP("kept"),
  /** Close: idle between requests while connections are scarce. */
  IDLE("it was idle while connections were scarce"),
  /** Close: the headers of a request took too long. */
  HEADERS("the headers of a request did not end within http.header-timeout"),
  /** Fail the read: the body of a request arrives too slowly. */
  BODY("the body arrived more slowly than http.min-rate"),
  /** Fail the write: the client reads the response too slowly. */
  ANSWER("the answer was read more slowly than http.min-rate");

  private final String reason;

  Verdict(String reason) {
    this.reason = reason;
  }

  /** Whether only the current read or write fails, so that the request can still be answered. */
  boolean endsExchange() {
    return this == BODY || this == ANSWER;
  }

  String reason() {
    return reason;
  }
}
