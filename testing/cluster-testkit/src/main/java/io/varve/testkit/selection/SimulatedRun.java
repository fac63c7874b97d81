package io.varve.testkit.selection;

import io.varve.testkit.sim.EventQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * One simulated run. Everything is an event of one queue and all randomness comes from named
 * streams of one seed, so the same seed gives the same run.
 */
public final class SimulatedRun {

  private static final double NETWORK_MICROS = 500;

  private final EventQueue events = new EventQueue();
  private final Setup setup;
  private final RandomStreams chance;
  private final RandomGenerator network;
  private final RandomGenerator thinking;
  private final List<SimulatedNode> nodes = new ArrayList<>();
  private final List<SimulatedCoordinator> coordinators = new ArrayList<>();
  private final Trace trace = new Trace();
  private long nextQuery;
  private boolean closed;

  public SimulatedRun(Setup setup, List<Condition> conditions, long seed) {
    this.setup = setup;
    this.chance = new RandomStreams(seed);
    this.network = chance.stream("network");
    this.thinking = chance.stream("thinking");
    for (int i = 0; i < setup.size().nodes(); i++) {
      Condition condition = i < conditions.size() ? conditions.get(i) : Condition.HEALTHY;
      nodes.add(new SimulatedNode(this, i, condition));
    }
    for (int i = 0; i < setup.size().coordinators(); i++) {
      coordinators.add(new SimulatedCoordinator(this, i));
    }
  }

  /** Runs clients from 0 to {@code untilMillis}. */
  public Trace run(long untilMillis) {
    for (int client = 0; client < setup.size().clients(); client++) {
      int id = client;
      double first = setup.thinkMillis() > 0 ? think() : network.nextDouble() * 100_000;
      events.after((long) first, () -> search(id));
    }
    runUntil(untilMillis);
    return trace;
  }

  /** Stops the clients and waits for the searches in flight. */
  public Trace drain() {
    closed = true;
    runUntil(nowMillis() + 120_000);
    return trace;
  }

  void runUntil(long untilMillis) {
    while (events.runNext(untilMillis * 1000)) {
      // Each event schedules its successors.
    }
  }

  private void search(int client) {
    if (closed) {
      return;
    }
    trace.begun();
    SimulatedCoordinator coordinator = coordinators.get(client % coordinators.size());
    coordinator.search(
        nextQuery++,
        () -> events.after(setup.thinkMillis() > 0 ? (long) think() : 1, () -> search(client)));
  }

  private double think() {
    return RandomStreams.exponential(thinking, setup.thinkMillis() * 1000);
  }

  /** Delivers a message to the other end of a connection. */
  void deliver(Runnable arrival) {
    double jitter = RandomStreams.exponential(network, NETWORK_MICROS / 5);
    events.after((long) (NETWORK_MICROS / 2 + jitter), arrival);
  }

  EventQueue events() {
    return events;
  }

  long nowNanos() {
    return events.nowMicros() * 1000;
  }

  long nowMillis() {
    return events.nowMicros() / 1000;
  }

  Setup setup() {
    return setup;
  }

  RandomStreams chance() {
    return chance;
  }

  Trace trace() {
    return trace;
  }

  SimulatedNode node(String id) {
    return nodes.get(Integer.parseInt(id.substring(1)));
  }

  List<SimulatedNode> nodes() {
    return nodes;
  }

  List<SimulatedCoordinator> coordinators() {
    return coordinators;
  }

  /** The nodes with a copy of a shard, the lower one first. */
  List<String> holders(int shard) {
    int count = nodes.size();
    String one = "n" + shard % count;
    String two = "n" + (shard + 1) % count;
    return one.compareTo(two) < 0 ? List.of(one, two) : List.of(two, one);
  }
}
