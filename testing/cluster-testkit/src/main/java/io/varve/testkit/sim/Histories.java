package io.varve.testkit.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Runs many histories, each on one thread. */
public final class Histories {

  private static final int FAILURES_TO_SHOW = 5;

  /** Totals of all histories. */
  public record Summary(
      int histories,
      long events,
      long acked,
      long refused,
      long unknown,
      long millis,
      List<String> failures,
      Simulation.@Nullable Outcome last) {

    @Override
    public String toString() {
      return histories
          + " histories in "
          + millis
          + " ms ("
          + histories * 1000L / Math.max(1, millis)
          + " a second), "
          + events
          + " events; writes acked "
          + acked
          + ", refused "
          + refused
          + ", unknown "
          + unknown;
    }
  }

  private Histories() {}

  /**
   * How many of a test's histories to run: {@code -Dtests.histories-percent} of them, by default
   * all. A run of continuous integration takes a fifth, because histories are most of what it
   * computes.
   */
  public static int inThisRun(int histories) {
    return Math.max(1, histories * Integer.getInteger("tests.histories-percent", 100) / 100);
  }

  public static Summary run(long firstSeed, int histories) {
    long started = System.nanoTime();
    List<String> failures = Collections.synchronizedList(new ArrayList<>());
    AtomicLong events = new AtomicLong();
    AtomicLong acked = new AtomicLong();
    AtomicLong refused = new AtomicLong();
    AtomicLong unknown = new AtomicLong();
    AtomicReference<Simulation.@Nullable Outcome> last = new AtomicReference<>();
    LongStream.range(firstSeed, firstSeed + histories)
        .parallel()
        .forEach(seed -> {
          if (failures.size() >= FAILURES_TO_SHOW) {
            return;
          }
          try {
            Simulation.Outcome outcome = Simulation.run(seed);
            events.addAndGet(outcome.events());
            acked.addAndGet(outcome.acked());
            refused.addAndGet(outcome.refused());
            unknown.addAndGet(outcome.unknown());
            last.set(outcome);
          } catch (AssertionError e) {
            failures.add("-Dvarve.sim.seed=" + seed + " " + e.getMessage());
          }
        });
    return new Summary(
        histories,
        events.get(),
        acked.get(),
        refused.get(),
        unknown.get(),
        (System.nanoTime() - started) / 1_000_000,
        List.copyOf(failures),
        last.get());
  }
}
