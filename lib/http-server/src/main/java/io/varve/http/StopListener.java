package io.varve.http;

/** A part of the process that the server tells that it stops, see {@link GracefulStop}. */
public interface StopListener {

  /**
   * The server accepts no connections any more; requests in progress are still answered. Must not
   * block.
   */
  default void stopping() {}

  /**
   * The requests in progress have had their time. Returns when what they wait for has ended, so
   * that they are answered now.
   */
  default void ending() {}
}
