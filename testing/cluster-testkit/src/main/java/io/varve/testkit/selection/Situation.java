package io.varve.testkit.selection;

import io.varve.selection.SelectionSettings;
import io.varve.testkit.selection.StrategyResults.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/**
 * The conditions of the nodes during a run.
 *
 * @param name in tables
 * @param shape changes to the cluster at 65 % load
 * @param conditions of the nodes, by seed
 * @param window measured time span
 */
public record Situation(
    String name,
    UnaryOperator<Setup> shape,
    LongFunction<List<Condition>> conditions,
    Window window) {

  private static final Window STEADY = new Window(30_000, 150_000);
  private static final long TAIL_MILLIS = 30_000;
  private static final long ONSET = 60_000;
  private static final long FOR_GOOD = Long.MAX_VALUE / 2_000;

  /** Node 2 in a condition, at 65 % load. */
  public static Situation sick(String name, Condition condition) {
    return new Situation(
        name,
        setup -> setup,
        seed -> List.of(Condition.HEALTHY, Condition.HEALTHY, condition),
        STEADY);
  }

  public static Situation healthy() {
    return sick("healthy", Condition.HEALTHY);
  }

  public static Situation slow(double factor) {
    return sick("node 2 ×" + number(factor), Condition.slow(factor));
  }

  /** Node 2 becomes 13.5 times slower; measures the next ten seconds. */
  public static Situation onset() {
    return sick("onset of ×13.5, first 10 s", Condition.slowBetween(13.5, ONSET, FOR_GOOD))
        .during(new Window(ONSET, ONSET + 10_000));
  }

  /** Node 2 is 13.5 times slower for a minute; measures the thirty seconds after that. */
  public static Situation recovery() {
    return sick("recovery from ×13.5, first 30 s", Condition.slowBetween(13.5, 0, ONSET))
        .during(new Window(ONSET, ONSET + 30_000));
  }

  /** Node 2 joins with cold caches; measures the next ten seconds. */
  public static Situation coldStart() {
    return sick("cold start (×5, τ 10 s), first 10 s", Condition.coldStart(ONSET, 5, 10_000))
        .during(new Window(ONSET, ONSET + 10_000));
  }

  /** Node 2 answers everything with an immediate error for forty seconds. */
  public static Situation failing() {
    return sick("node 2 fails at once", Condition.failingBetween(ONSET, ONSET + 40_000))
        .during(new Window(ONSET, ONSET + 40_000));
  }

  /** Node 2 is stopped for 400 of each 500 ms. */
  public static Situation stutter() {
    return sick("node 2 stopped 400 of 500 ms", Condition.stopped(400, 500));
  }

  /** Node 2 is stopped once for a second; measures that second and the next one. */
  public static Situation stop() {
    return sick("node 2 stopped for 1 s", Condition.stoppedBetween(ONSET, ONSET + 1_000))
        .during(new Window(ONSET, ONSET + 2_000));
  }

  public static Situation bursts() {
    return sick("bursts of ×13.5, 2 of 20 s", Condition.bursts(13.5, 2_000, 20_000));
  }

  /** Every node pauses for 0.5 to 1.5 s, every ten seconds on average. */
  public static Situation pauses() {
    LongFunction<List<Condition>> pauses =
        seed -> {
          List<Condition> conditions = new ArrayList<>();
          for (int node = 0; node < Setup.Size.SOURCE.nodes(); node++) {
            conditions.add(
                Condition.pauses(new RandomStreams(seed).stream("pause " + node), 200_000));
          }
          return conditions;
        };
    return new Situation("pauses of 0.5 to 1.5 s on all nodes", setup -> setup, pauses, STEADY);
  }

  public Situation saturated() {
    return shaped(name + ", saturated", setup -> setup.withThinkMillis(0));
  }

  public Situation light() {
    return shaped(name + ", 20 % load", setup -> setup.withThinkMillis(5_000));
  }

  public Situation withCoordinators(int count) {
    return shaped(name + ", " + count + " coordinators", setup -> setup.withCoordinators(count));
  }

  public Situation heavyTailed() {
    return shaped(name + ", lognormal σ 1", setup -> setup.withLogNormal(1));
  }

  /** Execution times of 20 ms on nodes with few workers, at 65 % load. */
  public Situation small(int workers) {
    Setup.Size size = new Setup.Size(5, workers, 5, 8 * workers, 1);
    return shaped(
        name + ", " + workers + " workers",
        setup ->
            setup.withSize(size).withServiceMillis(20).withThinkMillis(setup.thinkMillis() / 6.25));
  }

  private Situation shaped(String newName, UnaryOperator<Setup> more) {
    return new Situation(newName, setup -> more.apply(shape.apply(setup)), conditions, window);
  }

  public Situation during(Window other) {
    return new Situation(name, shape, conditions, other);
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  public SimulatedRun world(SelectionSettings settings, long seed) {
    return new SimulatedRun(shape.apply(Setup.moderate(settings)), conditions.apply(seed), seed);
  }

  public Trace run(SelectionSettings settings, long seed) {
    return world(settings, seed).run(window.untilMillis() + TAIL_MILLIS);
  }

  /** Several runs, with seeds from 1 on. */
  public StrategyResults measure(SelectionSettings settings, int seeds) {
    return StrategyResults.of(
        LongStream.rangeClosed(1, seeds).mapToObj(seed -> run(settings, seed)).toList(), window);
  }
}
