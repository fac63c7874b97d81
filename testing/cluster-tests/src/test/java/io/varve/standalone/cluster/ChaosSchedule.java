package io.varve.standalone.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The faults of a run with their times, all derived from a seed, so that the seed reproduces the
 * schedule. Only some of the pauses between faults are long enough for the cluster to recover.
 *
 * @param events the faults, ordered by time
 */
record ChaosSchedule(long seed, List<Event> events) {

  /** A fault, {@code atMillis} after the start. */
  record Event(long atMillis, Fault fault) {}

  /** A fault. */
  sealed interface Fault {

    /** SIGKILL; the process is restarted immediately. */
    record Kill(String process) implements Fault {}

    /** SIGSTOP, and SIGCONT after a while. */
    record Freeze(String process, long millis) implements Fault {}

    /** Delays all traffic of the process for a while, in both directions. */
    record CutLink(String process, long millis) implements Fault {}

    /** The segment store is unavailable for a while. */
    record StoreOutage(long millis) implements Fault {}

    /** A request to relocate the primary of that shard. */
    record MovePrimary(Shard shard) implements Fault {}

    /**
     * SIGKILL of all processes at the same time, including brokers; they are restarted immediately.
     */
    record KillEverything() implements Fault {}
  }

  /** A shard that can be moved. */
  record Shard(String index, int number) {}

  static final List<String> BROKERS = List.of("broker-1", "broker-2", "broker-3");
  private static final List<String> NODES =
      List.of(
          "coordinator-2",
          "shard-service-1",
          "shard-service-2",
          "replication-service-1",
          "replication-service-2");

  static ChaosSchedule of(long seed, long durationMillis, List<Shard> shards) {
    Random random = new Random(seed);
    List<Event> events = new ArrayList<>();
    long at = 3_000;
    while (at < durationMillis) {
      events.add(new Event(at, fault(random, shards)));
      at += random.nextInt(4) == 0 ? random.nextInt(2_000) : 5_000 + random.nextInt(15_000);
    }
    return new ChaosSchedule(seed, events);
  }

  /** Draws the duration of a fault, which may be shorter or longer than the cluster's timeouts. */
  private static long length(Random random) {
    return 500L + random.nextInt(random.nextBoolean() ? 3_000 : 20_000);
  }

  private static Fault fault(Random random, List<Shard> shards) {
    return switch (random.nextInt(13)) {
      case 0 -> new Fault.Kill(BROKERS.get(random.nextInt(BROKERS.size())));
      case 1, 2, 3 -> new Fault.Kill(NODES.get(random.nextInt(NODES.size())));
      case 4, 5 ->
          new Fault.Freeze(NODES.get(random.nextInt(NODES.size())), 500 + random.nextInt(9_500));
      case 6 ->
          new Fault.Freeze(
              BROKERS.get(random.nextInt(BROKERS.size())), 500 + random.nextInt(4_500));
      case 7 -> new Fault.StoreOutage(1_000 + random.nextInt(15_000));
      case 8 -> new Fault.CutLink(NODES.get(random.nextInt(NODES.size())), length(random));
      case 9 -> new Fault.CutLink(BROKERS.get(random.nextInt(BROKERS.size())), length(random));
      case 10 -> new Fault.KillEverything();
      default -> new Fault.MovePrimary(shards.get(random.nextInt(shards.size())));
    };
  }
}
