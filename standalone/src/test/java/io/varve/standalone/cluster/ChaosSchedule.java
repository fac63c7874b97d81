package io.varve.standalone.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Which faults happen when: a function of its seed, so that the seed repeats the schedule. Faults
 * follow each other with pauses that let the cluster recover from some of them and not from others.
 *
 * @param events by time
 */
record ChaosSchedule(long seed, List<Event> events) {

  /** What goes wrong, or is asked of the cluster, {@code atMillis} after the beginning. */
  record Event(long atMillis, Fault fault) {}

  /** A fault. */
  sealed interface Fault {

    /** kill -9; the process is started again at once. */
    record Kill(String process) implements Fault {}

    /** SIGSTOP, and SIGCONT after a while. */
    record Freeze(String process, long millis) implements Fault {}

    /** What is sent to the process, and what it answers, is held on its way for a while. */
    record CutLink(String process, long millis) implements Fault {}

    /** The segment store takes and gives nothing for a while. */
    record StoreOutage(long millis) implements Fault {}

    /** The primary of that shard is to move to another node. */
    record MovePrimary(Shard shard) implements Fault {}

    /** kill -9 of all processes at the same time, brokers too; they are started again at once. */
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

  /** Some are over before anybody's patience is, some are not. */
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
