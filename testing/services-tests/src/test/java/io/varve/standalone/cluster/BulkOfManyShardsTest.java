package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Bulks whose documents belong to several shards of the same nodes. */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class BulkOfManyShardsTest {

  private static final int SHARDS = 6;
  private static final List<String> NODES = List.of("shard-1", "shard-2");

  private ServicesInOneJvm cluster;

  @BeforeEach
  void take(ServicesInOneJvm shared) {
    cluster = shared;
  }

  private TestIndex create(String name) throws Exception {
    TestIndex index =
        cluster.create(
            name, "{\"number_of_shards\":%d,\"number_of_replicas\":0}".formatted(SHARDS));
    index.awaitGreen();
    return index;
  }

  /** The number of requests with parts for several primaries that the nodes have answered. */
  private double requests() throws IOException, InterruptedException {
    double requests = 0;
    try (HttpClient http = HttpClient.newHttpClient()) {
      for (String node : NODES) {
        String url = "http://127.0.0.1:%d/_actuator/prometheus".formatted(cluster.port(node));
        HttpResponse<String> metrics =
            http.send(
                HttpRequest.newBuilder(URI.create(url)).build(),
                HttpResponse.BodyHandlers.ofString());
        requests +=
            metrics
                .body()
                .lines()
                .filter(line -> line.startsWith("varve_http_seconds_count"))
                .filter(line -> line.contains("endpoint=\"node-bulk\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
      }
    }
    return requests;
  }

  @Test
  void aBulkMakesOneRequestToEachNode() throws Exception {
    TestIndex index = create("bulk-of-many");
    double before = requests();

    index.index(0, 300);

    // A request is counted after its response was sent.
    Await.within(TestIndex.SOON)
        .untilAsserted(() -> assertThat(requests() - before).isEqualTo(NODES.size()));
    index.refresh();
    assertThat(index.count("_primary")).isEqualTo(300);
  }

  @Test
  void nothingIsLostWhenAPrimaryMovesMeanwhile() throws Exception {
    TestIndex index = create("bulk-of-many-moved");
    AtomicBoolean moved = new AtomicBoolean();
    AtomicInteger documents = new AtomicInteger();
    try (ExecutorService aside = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> writing =
          aside.submit(() -> {
            while (documents.get() < 500 || !moved.get()) {
              int from = documents.getAndAdd(50);
              index.index(from, from + 50);
            }
            return null;
          });
      try {
        move(index, 0);
        index.awaitGreen();
      } finally {
        moved.set(true);
      }
      writing.get();
    }
    index.refresh();
    assertThat(index.count("_primary")).isEqualTo(documents.get());
  }

  private void move(TestIndex index, int shard) throws IOException {
    String from =
        index.copies("shard").stream()
            .filter(copy -> copy.path("shard").asString().equals(Integer.toString(shard)))
            .map(copy -> copy.path("node").asString())
            .findFirst()
            .orElseThrow();
    String to = from.equals(NODES.getFirst()) ? NODES.getLast() : NODES.getFirst();
    String command =
        """
        {"commands":[{"move":{"index":"%s","shard":%d,"from_node":"%s","to_node":"%s"}}]}\
        """
            .formatted(index.name(), shard, from, to);
    cluster.rest().call("POST", "/_cluster/reroute", command).orThrow();
  }
}
