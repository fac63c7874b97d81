package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** A primary is relocated, or removed from its node, while clients write. */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class MovedPrimaryTest {

  private static final int WRITERS = 64;

  private ServicesInOneJvm cluster;

  @BeforeEach
  void take(ServicesInOneJvm shared) throws IOException {
    cluster = shared;
    Patience.begin(cluster.rest());
  }

  private TestIndex create(String name, int replicas, String refreshInterval) throws Exception {
    return cluster.create(
        name,
        "{\"number_of_replicas\":%d,\"refresh_interval\":\"%s\"}"
            .formatted(replicas, refreshInterval));
  }

  private void reroute(String command) throws IOException {
    cluster.rest().call("POST", "/_cluster/reroute", "{\"commands\":[" + command + "]}").orThrow();
  }

  /** Moves the primary to the other primary node and waits until it has started. */
  private void movePrimary(TestIndex index) throws IOException {
    String from = index.nodeOfPrimary();
    String to = from.equals("shard-1") ? "shard-2" : "shard-1";
    reroute(
        """
        {"move":{"index":"%s","shard":0,"from_node":"%s","to_node":"%s"}}\
        """
            .formatted(index.name(), from, to));
    index.awaitPrimaryElsewhereThan(from);
    index.awaitGreen();
  }

  private static void assertCopiesShow(TestIndex index, int documents) throws Exception {
    index.refresh();
    assertThat(index.contents("_primary")).hasSize(documents);
    index.awaitCount("_replica", documents);
    assertThat(index.contents("_replica")).isEqualTo(index.contents("_primary"));
  }

  @Test
  void nothingIsLostWhenItMovesUnderLoadWhateverTheWritesWaitFor() throws Exception {
    TestIndex index = create("moved-load", 1, "100ms");
    Random random = new Random(34);
    List<String> policies = List.of("", "?refresh=true", "?refresh=wait_for");
    try (ExecutorService aside = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> writing =
          aside.submit(() -> {
            for (int n = 0; n < 120; n++) {
              index.put(n, policies.get(random.nextInt(policies.size())));
            }
            return null;
          });
      movePrimary(index);
      writing.get();
    }
    assertCopiesShow(index, 120);
  }

  @Test
  void everyWriteThatWaitsForARefreshIsAnsweredThoughThePrimaryMoves() throws Exception {
    TestIndex index = create("moved-waiting", 1, "200ms");
    List<JsonNode> answers = writeAsideWhileItMoves(index, 1_000, "?refresh=wait_for");

    assertThat(answers).allMatch(answer -> answer.at("/_shards/failed").asInt() == 0);
    assertThat(index.count("_primary")).isEqualTo(answers.size());
    assertThat(index.count("_replica")).isEqualTo(answers.size());
  }

  @Test
  void writesThatComeWhileItHandsOverAreTakenByItsSuccessor() throws Exception {
    TestIndex index = create("moved-queued", 1, "-1");
    List<JsonNode> answers = writeAsideWhileItMoves(index, 2_000, "");

    assertThat(answers.stream().map(answer -> answer.path("_seq_no").asLong()))
        .doesNotHaveDuplicates();
    assertThat(answers.stream().map(answer -> answer.path("_primary_term").asLong()).distinct())
        .as("before and after the move")
        .hasSizeGreaterThan(1);
    assertCopiesShow(index, answers.size());
  }

  /**
   * Writes at least {@code atLeast} documents, each once; the first is written before the primary
   * moves and the last after the move.
   */
  private List<JsonNode> writeAsideWhileItMoves(TestIndex index, int atLeast, String parameters)
      throws IOException, InterruptedException, ExecutionException {
    AtomicInteger next = new AtomicInteger(1);
    AtomicBoolean moved = new AtomicBoolean();
    Queue<JsonNode> answers = new ConcurrentLinkedQueue<>();
    answers.add(index.put(0, parameters));
    try (ExecutorService aside = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        boolean goesOn = i == 0;
        writers.add(
            aside.submit(() -> {
              while (next.get() < atLeast || (goesOn && !moved.get())) {
                answers.add(index.put(next.getAndIncrement(), parameters));
              }
              return null;
            }));
      }
      try {
        movePrimary(index);
      } finally {
        moved.set(true);
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    }
    answers.add(index.put(next.getAndIncrement(), parameters));
    return List.copyOf(answers);
  }

  @Test
  void whatWasNotRefreshedIsShownByReplicasAfterTheMove() throws Exception {
    TestIndex index = create("moved-unseen", 1, "-1");
    index.index(0, 50);
    assertThat(index.count("_replica")).isZero();
    movePrimary(index);

    index.awaitCount("_replica", 50);
  }

  @Test
  void aReplicaTakesOverWhenThePrimarysPlaceIsCancelled() throws Exception {
    TestIndex index = create("cancelled", 1, "-1");
    index.index(0, 40);
    index.refresh();
    index.index(40, 60);
    String before = index.nodeOfPrimary();
    reroute(
        """
        {"cancel":{"index":"cancelled","shard":0,"node":"%s","allow_primary":true}}\
        """
            .formatted(before));
    index.awaitPrimaryElsewhereThan(before);
    index.awaitGreen();
    index.put(60);

    assertCopiesShow(index, 61);
  }
}
