package io.varve.testkit.sim;

/**
 * A rule that holds in every history. Its class comment states it, and its name is the name of the
 * class.
 */
interface Invariant {

  void observe(Observation observation, World world);

  default String name() {
    String type = getClass().getSimpleName();
    return Character.toLowerCase(type.charAt(0)) + type.substring(1);
  }

  /**
   * Fails the history unless the copy shows everything that was reported to waiting clients as
   * visible.
   */
  default void requireShown(SimCopy copy, long reportedSeqNo) {
    require(
        copy.visibleSeqNo() >= reportedSeqNo,
        "%s shows %d, and clients were told that %d is visible",
        copy,
        copy.visibleSeqNo(),
        reportedSeqNo);
  }

  /** Fails the history unless {@code holds}. */
  @SuppressWarnings("AnnotateFormatMethod")
  default void require(boolean holds, String message, Object... arguments) {
    if (!holds) {
      throw new InvariantViolated(name(), String.format(message, arguments));
    }
  }
}
