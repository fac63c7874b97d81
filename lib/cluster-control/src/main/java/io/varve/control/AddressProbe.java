package io.varve.control;

import java.util.function.Consumer;

/**
 * Connects to the addresses of members that may have ended. It exchanges no data, so it needs
 * neither TLS nor credentials.
 */
@FunctionalInterface
public interface AddressProbe {

  /** The outcome of an attempt to connect. */
  enum Outcome {
    /** The kernel of the host rejected the connection: no process listens at the address. */
    REFUSED,
    /**
     * The kernel accepted the connection for the listening process, which may be busy or suspended.
     */
    ACCEPTED,
    /** No answer in time, no route, or no address of that name. */
    UNKNOWN
  }

  /**
   * Connects after a delay. Must not block.
   *
   * @param url as in the member's heartbeats
   * @param result called once, on any thread
   */
  void connect(String url, long delayMillis, Consumer<Outcome> result);
}
