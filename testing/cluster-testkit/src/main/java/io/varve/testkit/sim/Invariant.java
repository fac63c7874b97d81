package io.varve.testkit.sim;

/** A rule that holds in every history. Its class says it in one line, its name is the class's. */
interface Invariant {

  void observe(Observation observation, World world);

  default String name() {
    String type = getClass().getSimpleName();
    return Character.toLowerCase(type.charAt(0)) + type.substring(1);
  }

  /** Fails the history unless {@code holds}. */
  @SuppressWarnings("AnnotateFormatMethod")
  default void require(boolean holds, String message, Object... arguments) {
    if (!holds) {
      throw new InvariantViolated(name(), String.format(message, arguments));
    }
  }
}
