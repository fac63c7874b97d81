package io.varve.selection;

/**
 * One shard request in flight to one node. It ends exactly once: later outcomes are ignored, so
 * that an answer that races with its own cancellation counts once.
 */
public interface Attempt {

  String node();

  /**
   * The expected execution time of this kind of work, to be sent with the request; 0 while unknown.
   * The node compares its own time with it ({@link SearchLoad#submitted}).
   */
  long expectedNanos();

  /**
   * The node answered.
   *
   * @param tookNanos execution time reported by the node, −1 if it reports none
   */
  void answered(long tookNanos, ExecutorReport report);

  void failed(Failure failure);
}
