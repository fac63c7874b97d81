package io.varve.rpc;

/**
 * The answer of a stopping process on a connection that waits for a request. A client that has sent
 * a request in the meantime learns that the process has not read it, and can send it to another
 * process. If the connection were closed without an answer, the outcome would be unknown.
 *
 * <p>Its status is 503, upon which clients of OpenSearch retry at another node.
 */
public final class UnreadRequest {

  public static final int STATUS = 503;

  /** Response header with the value {@code true}. Other answers with the same status lack it. */
  public static final String HEADER = "Varve-Unread";

  public static final ErrorBody ERROR =
      ErrorBody.of(
          STATUS, "node_closed_exception", "the process is stopping and has not read the request");

  private UnreadRequest() {}
}
