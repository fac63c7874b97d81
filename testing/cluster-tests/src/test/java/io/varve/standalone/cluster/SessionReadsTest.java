package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/**
 * A client repeatedly writes a document and immediately reads it from any copy, with only its
 * session token; halfway the process of the primary is killed with SIGKILL. A read may fail, but no
 * answered read may miss a write that was acked to the client. Each kind of read is answered
 * several times by each kind of copy, before and after the kill. Under the next term, the writes of
 * the former one are read before they are repeated.
 */
@Tag("system")
@ExtendWith(RunningCluster.Shared.class)
class SessionReadsTest {

  private static final String INDEX = "session-notes";
  private static final int TIMES_EACH = 5;
  private static final int DOCUMENTS = 12;
  private static final List<String> PATHS =
      List.of("/_doc/%d?realtime=false", "/_doc/%d?realtime=true", "/_search?q=_id:%d");
  private static final List<String> COPIES =
      List.of("", "&preference=_primary", "&preference=_replica");
  private static final Duration WITHIN = Duration.ofMinutes(5);

  private final HttpClient http = HttpClient.newHttpClient();
  private final Random random = new Random(71);
  private final Map<Integer, Integer> acked = new HashMap<>();
  private RunningCluster cluster;
  private String token = "";
  private long termOfAcks;
  private int next;

  @BeforeEach
  void take(RunningCluster shared) throws Exception {
    cluster = shared;
    cluster
        .rest()
        .call(
            "PUT",
            "/" + INDEX,
            "{\"settings\":{\"number_of_replicas\":1,\"refresh_interval\":\"100ms\"}}")
        .orThrow();
    cluster.awaitGreen();
  }

  @AfterEach
  void stop() {
    http.close();
  }

  @Test
  void noReadUnderATokenIsStaleWhenThePrimaryIsKilledMeanwhile() throws Exception {
    verifyEach();
    long term = termOfAcks;
    for (int document = 0; document < DOCUMENTS; document++) {
      write(document);
    }
    cluster.kill(new TestIndex(cluster.rest(), INDEX).nodeOfPrimary());
    awaitAckAfter(term);
    verifyAllAcked();
    verifyEach();
    assertThat(termOfAcks).isGreaterThan(term);
  }

  /** Waits for the next primary, with writes to a document that is not read before it has one. */
  private void awaitAckAfter(long term) {
    Awaitility.await()
        .atMost(WITHIN)
        .pollInSameThread()
        .until(() -> {
          write(DOCUMENTS);
          return termOfAcks > term;
        });
  }

  /** Reads all acked documents in each way from each kind of copy. */
  private void verifyAllAcked() {
    for (int document : acked.keySet()) {
      for (String path : PATHS) {
        for (String copy : COPIES) {
          Awaitility.await()
              .atMost(WITHIN)
              .pollInSameThread()
              .pollDelay(Duration.ZERO)
              .until(() -> isVerified(document, path.formatted(document) + copy));
        }
      }
    }
  }

  private void verifyEach() {
    for (int time = 0; time < TIMES_EACH; time++) {
      for (String path : PATHS) {
        for (String copy : COPIES) {
          verify(path, copy);
        }
      }
    }
  }

  /** Writes and reads until a read of an acked document is answered. */
  private void verify(String path, String copy) {
    Awaitility.await()
        .atMost(WITHIN)
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> {
          int document = random.nextInt(DOCUMENTS);
          write(document);
          return isVerified(document, path.formatted(document) + copy);
        });
  }

  private void write(int document) {
    int value = ++next;
    try {
      HttpResponse<String> answer =
          send(
              request("/" + INDEX + "/_doc/" + document + "?timeout=2s")
                  .PUT(HttpRequest.BodyPublishers.ofString("{\"n\":" + value + "}")));
      if (answer.statusCode() / 100 == 2) {
        acked.put(document, value);
        token = answer.headers().firstValue("Varve-Session").orElseThrow();
        termOfAcks = Json.mapper().readTree(answer.body()).path("_primary_term").asLong();
      }
    } catch (IOException e) {
      // The write may be in the log, so later reads may or may not show it.
      assertThat(e).isNotNull();
    }
  }

  /** Returns whether the read was answered, in which case it must show the acked write. */
  private boolean isVerified(int document, String path) {
    HttpResponse<String> answer;
    try {
      answer = send(request("/" + INDEX + path).GET());
    } catch (IOException e) {
      // A read may fail.
      assertThat(e).isNotNull();
      return false;
    }
    int status = answer.statusCode();
    if (!acked.containsKey(document) || (status != 200 && status != 404)) {
      return false;
    }
    JsonNode json = Json.mapper().readTree(answer.body());
    JsonNode hit = json.has("hits") ? json.at("/hits/hits/0") : json;
    assertThat(hit.at("/_source/n").asInt(-1))
        .as("%s under %s: %s", path, token, answer.body())
        .isGreaterThanOrEqualTo(acked.get(document));
    return true;
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + cluster.hostAndPort() + path))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json");
    return token.isEmpty() ? request : request.header("Varve-Session", token);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
