package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.BooleanSupplier;

/** Lets the simulated time of a history pass, and says what happened in it if it fails. */
record HistoryTime(World world, Convergence convergence) {

  private static final long STEP_MICROS = 100_000;

  void pass(long micros) {
    try {
      world.runUntil(world.queue().nowMicros() + micros);
    } catch (InvariantViolated e) {
      throw new InvariantViolated(e, world.shape() + ", " + world.notes());
    }
  }

  /** Fails if the condition does not hold within that time. */
  void await(String what, long micros, BooleanSupplier condition) {
    for (long left = micros; left > 0 && !condition.getAsBoolean(); left -= STEP_MICROS) {
      pass(STEP_MICROS);
    }
    assertThat(condition.getAsBoolean())
        .as("%s; %s, %s, %s", what, convergence.lagging(), world.shape(), world.notes())
        .isTrue();
  }
}
