package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Real processes, a seeded schedule of faults, clients that write, get and search meanwhile. In the
 * end no acked write is lost, none is doubled, no get was stale, and all copies show the same.
 *
 * <p>{@code -Dchaos.seed} repeats a schedule, {@code -Dchaos.minutes} says for how long.
 */
@Tag("system")
@Tag("chaos")
class ChaosTest {

  private static final String INDEX = "chaos";
  private static final String REGISTERS = "registers";
  private static final int SHARDS = 2;
  private static final Duration RECOVERS_WITHIN = Duration.ofMinutes(4);

  @TempDir private Path folder;

  @Test
  void nothingAckedIsLostOrDoubledOrStaleAndAllCopiesAreEqual() throws Exception {
    long seed = Long.getLong("chaos.seed", ThreadLocalRandom.current().nextLong(1_000_000));
    long minutes = Long.getLong("chaos.minutes", 10);
    ChaosSchedule schedule = ChaosSchedule.of(seed, TimeUnit.MINUTES.toMillis(minutes), SHARDS);
    System.out.println("chaos: seed " + seed + ", " + schedule.events().size() + " faults");
    Path store = folder.resolve("store");
    try (RunningCluster cluster = start(store)) {
      create(cluster.rest(), INDEX, SHARDS);
      create(cluster.rest(), REGISTERS, 1);
      cluster.awaitGreen();
      NumberedLoad load = new NumberedLoad(cluster.rest(), INDEX, Integer.MAX_VALUE);
      RegisterLoad registers = new RegisterLoad(cluster.rest(), REGISTERS, seed);
      try (load;
          registers) {
        new Faults(cluster, store).play(schedule);
      }
      cluster.awaitGreen();
      System.out.println(
          "chaos: seed "
              + seed
              + ": "
              + load.ackedCount()
              + " documents acked of "
              + load.sent()
              + ", "
              + registers.reads()
              + " gets");
      Awaitility.await()
          .atMost(RECOVERS_WITHIN)
          .ignoreExceptions()
          .untilAsserted(() -> {
            cluster.rest().call("POST", "/_all/_refresh", "").orThrow();
            assertCopiesAreEqual(cluster.rest(), load);
          });
      registers.assertNothingWasStaleOrLost();
    }
  }

  private RunningCluster start(Path store) throws Exception {
    return RunningCluster.start(
        folder.resolve("cluster"),
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
        "--store",
        store.toString());
  }

  private static void create(RestCalls rest, String index, int shards) throws IOException {
    rest.call(
            "PUT",
            "/" + index,
            """
            {"settings":{"number_of_shards":%d,"number_of_replicas":1,"refresh_interval":"200ms"},
             "mappings":{"properties":{"n":{"type":"integer"},"text":{"type":"text"}}}}\
            """
                .formatted(shards))
        .orThrow();
  }

  private static void assertCopiesAreEqual(RestCalls rest, NumberedLoad load) throws Exception {
    for (String index : new String[] {INDEX, REGISTERS}) {
      SortedMap<String, String> all = new TreeMap<>();
      for (int shard = 0; shard < (index.equals(INDEX) ? SHARDS : 1); shard++) {
        SortedMap<String, String> primary = CopyContents.read(rest, index, shard, "_primary");
        assertThat(CopyContents.read(rest, index, shard, "_replica"))
            .as("[%s][%d]", index, shard)
            .isEqualTo(primary);
        all.putAll(primary);
      }
      if (index.equals(INDEX)) {
        load.assertEachAckedOnceIn(all.values());
      }
    }
  }

  /** Lets the faults of a schedule happen. */
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
          // A file stands where the folder was: nothing can be made below it.
          Files.createFile(store);
          TimeUnit.MILLISECONDS.sleep(millis);
          Files.delete(store);
          Files.move(away, store);
        }
        case ChaosSchedule.Fault.MovePrimary(int shard) -> move(shard);
      }
    }

    /** To the other shard-service; the cluster may refuse, as it is now. */
    private void move(int shard) throws IOException {
      try {
        String from = "";
        for (JsonNode row :
            cluster.rest().get("/_cat/shards/" + INDEX + "?format=json").orThrow().json()) {
          if (row.path("prirep").asString().equals("p")
              && row.path("shard").asString().equals(Integer.toString(shard))) {
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
                        .formatted(INDEX, shard, from, to));
        System.out.println("chaos: move from " + from + " to " + to + ": " + answer.status());
      } catch (IOException | IllegalStateException e) {
        System.out.println("chaos: nobody could be asked to move a shard: " + e);
      }
    }
  }
}
