package io.varve.rpc;

/**
 * The answer of a stopping process on a connection that waits for a request. A client that has sent
 * a request in the meantime knows that the process has not read it, so that the request can be sent
 * to another one; a connection that is closed without an answer would leave its outcome unknown.
 *
 * <p>It is a 503, which clients of OpenSearch answer by a retry at another node.
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
