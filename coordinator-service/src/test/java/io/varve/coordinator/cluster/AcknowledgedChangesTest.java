package io.varve.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.events.FeatureLevels;
import io.varve.events.Json;
import io.varve.rpc.ClusterCalls;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** A client changes the cluster through one of two coordinators, of which the other one lags. */
@Tag("system")
@Tag("broker")
class AcknowledgedChangesTest extends CoordinatorCluster {

  private static final String ACKNOWLEDGED = "{\"acknowledged\":true}";
  private static final String NOT_ACKNOWLEDGED = "{\"acknowledged\":false}";

  /** Parameters of requests whose success is awaited. */
  private static final String PATIENT = CHANGES_IN_TIME + "&timeout=3m";

  private ConfigurableApplicationContext first;
  private String url = "";
  private CoordinatorNode lagging;
  private String laggingUrl = "";

  @BeforeEach
  void startTwo() throws Exception {
    first = startCoordinator("first");
    ConfigurableApplicationContext second = startCoordinator("second");
    url = url(first);
    lagging = node(second);
    laggingUrl = url(second);
    await()
        .until(() ->
            node(first).started().isDone()
                && lagging.started().isDone()
                && node(first).state().nodes().size() == 2
                && node(first).state().featureLevel() == FeatureLevels.NEWEST);
    // No node holds shards.
    assertThat(put("/books?wait_for_active_shards=0&" + PATIENT, "{}").body())
        .contains("\"acknowledged\":true");
  }

  private static HttpResponse<String> sendPut(String url, String body) throws Exception {
    return send(
        HttpRequest.newBuilder(URI.create(url)).PUT(HttpRequest.BodyPublishers.ofString(body)));
  }

  private HttpResponse<String> put(String path, String body) throws Exception {
    return sendPut(url + path, body);
  }

  private String putField(String name, String timeout) throws Exception {
    return put(
            "/books/_mapping?" + CHANGES_IN_TIME + "&timeout=" + timeout,
            "{\"properties\":{\"" + name + "\":{\"type\":\"keyword\"}}}")
        .body();
  }

  /**
   * Holds the other coordinator in a state that contains nothing of what happens later.
   *
   * @return releases it
   */
  private CountDownLatch hold() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    long here = Thread.currentThread().threadId();
    var _ =
        lagging
            .view()
            .listen(_ -> {
              if (Thread.currentThread().threadId() != here) {
                held.countDown();
                uninterruptibly(released);
              }
            });
    running.push(released::countDown);
    String _ = putField("held", "0");
    assertThat(held.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
    return released;
  }

  private static void uninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean knows(ClusterState state, String field) {
    return state.indices().get("books").mapping().contains("\"" + field + "\"");
  }

  @Test
  void aChangeIsAcknowledgedWhenTheOtherCoordinatorHasAppliedIt() throws Exception {
    CountDownLatch released = hold();

    assertThat(putField("author", "0")).isEqualTo(NOT_ACKNOWLEDGED);
    assertThat(knows(lagging.state(), "author")).isFalse();
    CompletableFuture<String> answer =
        CompletableFuture.supplyAsync(() -> {
          try {
            String body = putField("author", "3m");
            assertThat(knows(lagging.state(), "author")).isTrue();
            return body;
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    released.countDown();

    assertThat(answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isEqualTo(ACKNOWLEDGED);
    assertThat(get(laggingUrl + "/books/_mapping").body()).contains("author");
  }

  /** The request of a primary whose mapping lacks a field of a document. */
  private HttpResponse<String> newField(String name, Duration timeout) throws Exception {
    IndexMetadata index = node(first).state().indices().get("books");
    ClusterCalls.NewFields request =
        new ClusterCalls.NewFields(
            index.uuid(),
            index.mappingVersion(),
            "{\"properties\":{\"" + name + "\":{\"type\":\"keyword\"}}}");
    return send(
        HttpRequest.newBuilder(URI.create(url + "/_internal/cluster/mappings"))
            .header(AppliedRequests.TIMEOUT_HEADER, Long.toString(timeout.toMillis()))
            .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(request))));
  }

  @Test
  void aFieldOfADocumentIsAnsweredWhenTheOtherCoordinatorHasAppliedIt() throws Exception {
    CountDownLatch released = hold();
    CompletableFuture<Boolean> isKnown =
        CompletableFuture.supplyAsync(() -> {
          try {
            assertThat(newField("author", Duration.ofMinutes(4)).statusCode()).isEqualTo(200);
            return knows(lagging.state(), "author");
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    await().until(() -> knows(node(first).state(), "author"));

    released.countDown();

    assertThat(isKnown.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
  }

  @Test
  void aFieldOfADocumentIsValidAlthoughTheOtherCoordinatorLags() throws Exception {
    var _ = hold();

    // Half of the time is the wait for the other coordinator; the leader may need more than that.
    await().until(() -> newField("author", Duration.ofSeconds(2)).statusCode() == 200);
    await().until(() -> knows(node(first).state(), "author"));
    assertThat(knows(lagging.state(), "author")).isFalse();
  }

  @Test
  void anIndexIsCreatedButNotAcknowledgedWhileTheOtherCoordinatorLags() throws Exception {
    CountDownLatch released = hold();

    assertThat(put("/letters?timeout=0&" + CHANGES_IN_TIME, "{}").body())
        .isEqualTo("{\"acknowledged\":false,\"shards_acknowledged\":false,\"index\":\"letters\"}");
    assertThat(get(laggingUrl + "/letters").statusCode()).isEqualTo(404);
    released.countDown();
    assertThat(put("/letters/_alias/post?" + PATIENT, "").body()).isEqualTo(ACKNOWLEDGED);
    assertThat(get(laggingUrl + "/letters").statusCode()).isEqualTo(200);
  }

  @Test
  void aMemberThatDoesNotAnswerHasNotAppliedIt() throws Exception {
    startNode("third", NodeInfo.COORDINATOR);
    await().until(() -> lagging.state().nodes().size() == 3);

    assertThat(putField("author", "1s")).isEqualTo(NOT_ACKNOWLEDGED);
    assertThat(get(url + "/books/_mapping").body()).contains("author");
  }
}
