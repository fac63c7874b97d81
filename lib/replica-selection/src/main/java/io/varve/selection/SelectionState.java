package io.varve.selection;

import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The state of replica selection that a coordinator keeps between searches. Thread-safe; each part
 * synchronizes itself.
 */
final class SelectionState {

  /** Upper bound of the probe timer's interval. */
  private static final long TICK_NANOS = 50_000_000;

  private final LongSupplier nanoClock;
  private final Rotation rotation;
  private final NodeViews nodes = new NodeViews();
  private final ExpectedTimes expected = new ExpectedTimes();
  private final Hedges hedges = new Hedges();
  private final ExtraWork extraWork = new ExtraWork();
  private final ProbeTimeout probeTimeout = new ProbeTimeout();
  private volatile long tickNanos;
  private volatile boolean ticking;

  SelectionState(LongSupplier nanoClock, RandomGenerator random) {
    this.nanoClock = nanoClock;
    this.rotation = new Rotation(random);
  }

  long nowNanos() {
    return nanoClock.getAsLong();
  }

  /** Called by the timer: shows that the coordinator is not paused. */
  void ticked(long nowNanos) {
    tickNanos = nowNanos;
    ticking = true;
  }

  Moment moment() {
    long now = nowNanos();
    long awake = tickNanos + TICK_NANOS;
    long witnessed = ticking && now - awake > 0 ? awake : now;
    return new Moment(now, witnessed, probeTimeout.nanos());
  }

  Rotation rotation() {
    return rotation;
  }

  NodeViews nodes() {
    return nodes;
  }

  ExpectedTimes expected() {
    return expected;
  }

  Hedges hedges() {
    return hedges;
  }

  ExtraWork extraWork() {
    return extraWork;
  }

  ProbeTimeout probeTimeout() {
    return probeTimeout;
  }
}
