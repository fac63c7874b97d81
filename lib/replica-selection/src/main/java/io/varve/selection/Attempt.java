package io.varve.selection;

/**
 * One shard request on its way to one node. Ends exactly once: what comes after the first end is
 * ignored, so that an answer that crosses its own cancellation counts once.
 */
public interface Attempt {

  String node();

  /**
   * How long the node should take for work of this kind, to be sent with the request; 0 while
   * unknown. The node measures itself against it ({@link SearchLoad#submitted}).
   */
  long expectedNanos();

  /**
   * The node answered.
   *
   * @param tookNanos execution time as the node measured it, −1 if it doesn't say
   */
  void answered(long tookNanos, NodeReport report);

  void failed(Failure failure);
}
