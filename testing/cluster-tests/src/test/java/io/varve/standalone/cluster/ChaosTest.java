package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.process.Ticker;
import io.varve.standalone.RestCalls;
import io.varve.standalone.cluster.ChaosSchedule.Shard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Injects a seeded schedule of faults into real processes, while clients write and read indices
 * with segment replication and indices with document replication:
 *
 * <pre>
 *   numbered    bulks of documents without ids          no acked document is lost or duplicated
 *   registers   one writer, reads of all consistencies  no read is older than its guarantee
 *   shared      several writers that create, delete     each document's history is linearizable
 *               and compare-and-set
 *   strong        of strongly consistent indices: sets, counters and versions, see StrongLoad, and
 *                 documents as in shared
 * </pre>
 *
 * <p>At the end all copies contain the same documents, and a fault explains every error that a
 * client received. {@code -Dchaos.seed} reproduces a schedule, {@code -Dchaos.minutes} sets its
 * length, and with {@code -Dtests.secured=true} all connections have TLS and the clients are a user
 * with a password.
 */
@Tag("system")
@Tag("chaos")
class ChaosTest {

  private static final List<String> REPLICATIONS = List.of("SEGMENT", "DOCUMENT");
  private static final Duration RECOVERS_WITHIN = Duration.ofMinutes(4);

  @TempDir private Path folder;

  /** The indices of one replication type. */
  private record Indices(String replication) {

    Shard numbered(int number) {
      return new Shard("numbered-" + suffix(), number);
    }

    Shard registers() {
      return new Shard("registers-" + suffix(), 0);
    }

    Shard shared() {
      return new Shard("shared-" + suffix(), 0);
    }

    /** Strongly consistent, as {@link #strongShared}. */
    Shard strong() {
      return new Shard("strong-" + suffix(), 0);
    }

    Shard strongShared() {
      return new Shard("strong-shared-" + suffix(), 0);
    }

    List<Shard> shards() {
      return List.of(numbered(0), numbered(1), registers(), shared(), strong(), strongShared());
    }

    private String suffix() {
      return replication.toLowerCase(Locale.ROOT);
    }
  }

  /** The clients of the indices of one replication type. */
  private record Load(
      NumberedLoad numbered,
      RegisterLoad registers,
      List<SharedRegisters> shared,
      StrongLoad strong)
      implements AutoCloseable {

    static Load of(
        RestCalls rest, ChaosClient client, ErrorKinds errors, Indices indices, long seed) {
      return new Load(
          new NumberedLoad(rest, indices.numbered(0).index(), errors),
          new RegisterLoad(client, indices.registers().index(), seed),
          Stream.of(indices.shared(), indices.strongShared())
              .map(shard -> new SharedRegisters(client, shard.index(), seed))
              .toList(),
          new StrongLoad(client, indices.strong().index(), Ticker.SYSTEM, seed));
    }

    @Override
    public void close() throws InterruptedException {
      numbered.close();
      registers.close();
      for (SharedRegisters registersOfAll : shared) {
        registersOfAll.close();
      }
      strong.close();
    }
  }

  @Test
  void nothingAckedIsLostOrDoubledOrStaleAndAllCopiesAreEqual() throws Exception {
    long seed = Long.getLong("chaos.seed", ThreadLocalRandom.current().nextLong(1_000_000));
    long minutes = Long.getLong("chaos.minutes", 10);
    List<Indices> all = REPLICATIONS.stream().map(Indices::new).toList();
    ChaosSchedule schedule =
        ChaosSchedule.of(
            seed,
            TimeUnit.MINUTES.toMillis(minutes),
            all.stream().flatMap(indices -> indices.shards().stream()).toList());
    System.out.println("chaos: seed " + seed + ", " + schedule.events().size() + " faults");
    Path store = folder.resolve("store");
    ErrorKinds errors = new ErrorKinds();
    try (RunningCluster cluster = start(store);
        ChaosClient client = new ChaosClient(cluster.url(), cluster.access(), errors)) {
      for (Indices indices : all) {
        create(cluster.rest(), indices);
      }
      cluster.awaitGreen();
      List<Load> loads = new ArrayList<>();
      try {
        all.forEach(indices -> loads.add(Load.of(cluster.rest(), client, errors, indices, seed)));
        new Faults(cluster, store).play(schedule);
      } finally {
        for (Load load : loads) {
          load.close();
        }
      }
      cluster.awaitGreen();
      report(seed, loads, errors);
      for (int i = 0; i < loads.size(); i++) {
        judge(cluster.rest(), all.get(i), loads.get(i));
      }
      errors.assertNoneIsUnexcused();
    }
  }

  private static void report(long seed, List<Load> loads, ErrorKinds errors) {
    for (Load load : loads) {
      System.out.println(
          "chaos: seed "
              + seed
              + ": "
              + load.numbered.ackedCount()
              + " documents acked of "
              + load.numbered.sent()
              + ", reads "
              + load.registers.reads());
    }
    System.out.println("chaos: errors " + errors);
  }

  private static void judge(RestCalls rest, Indices indices, Load load) throws Exception {
    Awaitility.await()
        .atMost(RECOVERS_WITHIN)
        .ignoreExceptionsInstanceOf(Exception.class)
        .untilAsserted(() -> {
          rest.call("POST", "/_all/_refresh", "").orThrow();
          assertCopiesAreEqual(rest, indices, load.numbered);
        });
    load.registers.assertNothingWasStaleOrLost();
    load.shared.forEach(SharedRegisters::assertLinearizable);
    load.strong.assertNothingIsBroken();
    StrongLoad.assertAPeekChangesNothing(rest, indices.strong().index());
  }

  private RunningCluster start(Path store) throws Exception {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--brokers",
                "3",
                "--coordinators",
                "2",
                "--shard-services",
                "2",
                "--replication-services",
                "2",
                "--ccr-followers",
                "0",
                "--published-ports",
                "apart",
                // As in production: processes that pause leave.
                "--varve.node.timeout-millis",
                "5000",
                "--store",
                store.toString()));
    if (Boolean.getBoolean("tests.secured")) {
      options.add("--secured");
    }
    return RunningCluster.start(folder.resolve("cluster"), options.toArray(String[]::new));
  }

  private static void create(RestCalls rest, Indices indices) throws IOException {
    for (Shard last : List.of(indices.numbered(1), indices.registers(), indices.shared())) {
      create(rest, last, indices.replication, "eventual");
    }
    for (Shard last : List.of(indices.strong(), indices.strongShared())) {
      create(rest, last, indices.replication, "strong");
    }
  }

  private static void create(RestCalls rest, Shard last, String replication, String consistency)
      throws IOException {
    rest.call(
            "PUT",
            "/" + last.index(),
            """
            {"settings":{"number_of_shards":%d,"number_of_replicas":1,"refresh_interval":"200ms",
              "replication.type":"%s","replication.consistency":"%s"},
             "mappings":{"properties":{"n":{"type":"integer"},"text":{"type":"text"},
              "value":{"type":"integer"}}}}\
            """
                .formatted(last.number() + 1, replication, consistency))
        .orThrow();
  }

  private static void assertCopiesAreEqual(RestCalls rest, Indices indices, NumberedLoad load)
      throws Exception {
    SortedMap<String, String> numbered = new TreeMap<>();
    for (Shard shard : indices.shards()) {
      SortedMap<String, String> primary =
          CopyContents.read(rest, shard.index(), shard.number(), "_primary");
      assertThat(CopyContents.read(rest, shard.index(), shard.number(), "_replica"))
          .as("%s", shard)
          .isEqualTo(primary);
      if (shard.index().equals(indices.numbered(0).index())) {
        numbered.putAll(primary);
      }
    }
    load.assertEachAckedOnceIn(numbered.values());
  }

  /** Injects the faults of a schedule. */
  private record Faults(RunningCluster cluster, Path store) {

    void play(ChaosSchedule schedule) throws Exception {
      long began = System.nanoTime();
      for (ChaosSchedule.Event event : schedule.events()) {
        long wait = event.atMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        if (wait > 0) {
          TimeUnit.MILLISECONDS.sleep(wait);
        }
        System.out.println("chaos: " + event);
        happen(event.fault());
      }
    }

    private void happen(ChaosSchedule.Fault fault) throws Exception {
      switch (fault) {
        case ChaosSchedule.Fault.Kill(String process) -> cluster.kill(process);
        case ChaosSchedule.Fault.KillEverything _ -> cluster.killEverything();
        case ChaosSchedule.Fault.Freeze(String process, long millis) -> {
          cluster.freeze(process);
          TimeUnit.MILLISECONDS.sleep(millis);
          cluster.thaw(process);
        }
        case ChaosSchedule.Fault.CutLink(String process, long millis) -> {
          cluster.links().cut(process);
          TimeUnit.MILLISECONDS.sleep(millis);
          cluster.links().mend(process);
        }
        case ChaosSchedule.Fault.StoreOutage(long millis) -> {
          Path away = store.resolveSibling("store-away");
          Files.move(store, away);
          // While a file replaces the folder, every write below it fails.
          Files.createFile(store);
          TimeUnit.MILLISECONDS.sleep(millis);
          Files.delete(store);
          Files.move(away, store);
        }
        case ChaosSchedule.Fault.MovePrimary(Shard shard) -> move(shard);
      }
    }

    /**
     * Moves the shard to the other shard-service. The cluster may reject the move in its current
     * state.
     */
    private void move(Shard shard) {
      try {
        String from = "";
        for (JsonNode row :
            cluster.rest().get("/_cat/shards/" + shard.index() + "?format=json").orThrow().json()) {
          if (row.path("prirep").asString().equals("p")
              && row.path("shard").asString().equals(Integer.toString(shard.number()))) {
            from = row.path("node").asString("");
          }
        }
        String to = from.equals("shard-service-1") ? "shard-service-2" : "shard-service-1";
        RestCalls.Answer answer =
            cluster
                .rest()
                .call(
                    "POST",
                    "/_cluster/reroute",
                    """
                    {"commands":[{"move":{"index":"%s","shard":%d,"from_node":"%s","to_node":"%s"}}]}\
                    """
                        .formatted(shard.index(), shard.number(), from, to));
        System.out.println("chaos: move from " + from + " to " + to + ": " + answer.status());
      } catch (IOException | IllegalStateException e) {
        System.out.println("chaos: the request to move a shard failed: " + e);
      }
    }
  }
}
