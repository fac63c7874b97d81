package io.varve.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.NodeInfo;
import io.varve.control.command.ClusterCommand;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The leading coordinator stops while it has a request in progress. It accepts no connection any
 * more, so what the request needs from a leader must come from another one.
 */
@Tag("system")
@Tag("broker")
class StoppingLeaderTest extends CoordinatorCluster {

  /**
   * Without a heartbeat of its leader, a coordinator campaigns. If a pause of the leader is longer,
   * the other coordinator leads before the leader stops, with the same outcome.
   */
  private static final long SILENT_MILLIS = 10_000;

  private final CompletableFuture<HttpResponse<String>> inProgress = new CompletableFuture<>();

  @Test
  void anotherCoordinatorLeadsWhileItStillAnswers() throws Exception {
    ConfigurableApplicationContext first = start("one");
    await().until(() -> node(first).isLeading());
    ConfigurableApplicationContext second = start("two");
    await().until(() -> node(second).state().nodes().size() == 2);
    node(first).execute(create("books"), PATIENCE_MILLIS);
    begin(first, "/_cluster/health?wait_for_nodes=%3E%3D3&timeout=8m");

    CompletableFuture<Void> stop =
        CompletableFuture.runAsync(
            first::close, task -> Thread.ofPlatform().name("stop").start(task));

    await().until(() -> !node(first).isLeading());
    // By a node that connects to a coordinator, and by the request itself.
    node(second).execute(newField("title"), PATIENCE_MILLIS);
    node(first).execute(newField("year"), PATIENCE_MILLIS);
    await().until(() -> node(second).isLeading());
    await()
        .untilAsserted(() ->
            assertThat(node(second).state().indices().get("books").mapping())
                .contains("title", "year"));
    assertThat(putField(second, "author")).isEqualTo("{\"acknowledged\":true}");
    assertThat(stop).as("the request is in progress").isNotDone();

    startNode("third", NodeInfo.PRIMARY);
    assertThat(inProgress.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS).statusCode()).isEqualTo(200);
    stop.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private ConfigurableApplicationContext start(String name) {
    return startCoordinator(name, SILENT_MILLIS, NEVER_MILLIS, "--http.drain-timeout=9m");
  }

  private static ClusterCommand newField(String name) {
    return new ClusterCommand.PutMapping(
        List.of("books"), "{\"properties\":{\"" + name + "\":{\"type\":\"keyword\"}}}");
  }

  private static String putField(ConfigurableApplicationContext context, String name)
      throws Exception {
    String mapping = "{\"properties\":{\"" + name + "\":{\"type\":\"keyword\"}}}";
    String path = "/books/_mapping?timeout=3m&" + CHANGES_IN_TIME;
    return send(HttpRequest.newBuilder(URI.create(url(context) + path))
            .PUT(HttpRequest.BodyPublishers.ofString(mapping)))
        .body();
  }

  /** Returns when the request is being answered. */
  private void begin(ConfigurableApplicationContext context, String path) {
    URI uri = URI.create(url(context) + path);
    Thread.ofVirtual()
        .start(() -> {
          try (HttpClient client = HttpClient.newHttpClient()) {
            inProgress.complete(
                client.send(
                    HttpRequest.newBuilder(uri).GET().build(),
                    HttpResponse.BodyHandlers.ofString()));
          } catch (Exception e) {
            inProgress.completeExceptionally(e);
          }
        });
    String tasks = url(context) + "/_tasks?actions=*health*";
    await().until(() -> get(tasks).body().contains("health"));
  }
}
