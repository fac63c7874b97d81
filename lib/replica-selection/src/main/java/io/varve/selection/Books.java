package io.varve.selection;

import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** All that a coordinator remembers between searches. Thread-safe, each part by itself. */
final class Books {

  /** The timer that asks for probes runs more often than this. */
  private static final long TICK_NANOS = 50_000_000;

  private final LongSupplier nanoClock;
  private final Rotation rotation;
  private final NodeViews nodes = new NodeViews();
  private final ExpectedTimes expected = new ExpectedTimes();
  private final Hedges hedges = new Hedges();
  private final ExtraWork extraWork = new ExtraWork();
  private final Patience patience = new Patience();
  private volatile long tickNanos;
  private volatile boolean ticking;

  Books(LongSupplier nanoClock, RandomGenerator random) {
    this.nanoClock = nanoClock;
    this.rotation = new Rotation(random);
  }

  long nowNanos() {
    return nanoClock.getAsLong();
  }

  /** The timer runs: the coordinator is awake. */
  void ticked(long nowNanos) {
    tickNanos = nowNanos;
    ticking = true;
  }

  Moment moment() {
    long now = nowNanos();
    long awake = tickNanos + TICK_NANOS;
    long witnessed = ticking && now - awake > 0 ? awake : now;
    return new Moment(now, witnessed, patience.nanos());
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

  Patience patience() {
    return patience;
  }
}
