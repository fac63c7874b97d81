package io.varve.http;

/** A part of the process that is notified when the server stops, see {@link GracefulStop}. */
public interface StopListener {

  /**
   * The server accepts no more connections; requests in progress are still answered. Must not
   * block.
   */
  default void stopping() {}

  /**
   * The time for requests in progress is over. Returns when their waits have ended, so that they
   * are answered now.
   */
  default void ending() {}
}
