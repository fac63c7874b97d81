package io.varve.testkit.sim;

import java.io.PrintWriter;

/**
 * Writes the observations of a history, one a line. A line has the number of events so far, so an
 * event that nothing observes is noticed too. It never fails.
 */
final class HistoryTrace implements Invariant {

  private final PrintWriter lines;

  HistoryTrace(PrintWriter lines) {
    this.lines = lines;
  }

  @Override
  public void observe(Observation observation, World world) {
    lines.println(
        world.queue().nowMicros()
            + " us, event "
            + world.queue().executed()
            + ": "
            + observation.getClass().getSimpleName()
            + " "
            + text(observation));
  }

  /** What processes decide, and what clients get. */
  private static Object text(Observation observation) {
    return switch (observation) {
      case Observation.EventApplied(var event, _) -> event;
      case Observation.Published(var manifest, _) -> manifest;
      case Observation.Answered(var write) -> write;
      default -> "";
    };
  }
}
