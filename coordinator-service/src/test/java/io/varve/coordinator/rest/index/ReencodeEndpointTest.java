package io.varve.coordinator.rest.index;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.RestHarness;
import io.varve.rpc.ApiException;
import io.varve.rpc.Reencoded;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ReencodeEndpointTest {

  private static final int SEGMENTS = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final RestHarness rest = new RestHarness();
  private final Map<String, Integer> left = new ConcurrentHashMap<>();

  @BeforeEach
  void primariesWithThreeSegments() {
    rest.cluster.index("a", 2);
    left.put("a0p", SEGMENTS);
    left.put("a1p", SEGMENTS);
    rest.shards.reencoding(copy -> one(copy.copy().copyId()));
  }

  @AfterEach
  void close() {
    rest.close();
  }

  private Reencoded one(String copyId) {
    Integer now = left.computeIfPresent(copyId, (_, before) -> before - 1);
    return now == null ? Reencoded.NOTHING : new Reencoded(1, 100, now);
  }

  @Test
  void everyCopyIsAskedUntilItHasNothingLeft() {
    JsonNode answer = json(rest.call("POST /a/_reencode"));

    assertThat(answer.at("/_shards/successful").asInt()).isEqualTo(4);
    assertThat(answer.path("segments").asInt()).isEqualTo(2 * SEGMENTS);
    assertThat(answer.path("size_in_bytes").asInt()).isEqualTo(2 * SEGMENTS * 100);
    assertThat(answer.path("segments_left").asInt()).isZero();
    assertThat(rest.shards.calls())
        .filteredOn(call -> call.equals("reencode at 20971520 a0p"))
        .hasSize(SEGMENTS);
    assertThat(rest.shards.calls()).containsOnlyOnce("reencode at 20971520 a0r");
  }

  @Test
  void aCopyThatFailsIsToldAndTheOthersGoOn() {
    rest.shards.fail("a0p", new ApiException(503, "node_closed_exception", "closing"));

    JsonNode answer = json(rest.call("POST /a/_reencode"));

    assertThat(answer.at("/_shards/failed").asInt()).isEqualTo(1);
    assertThat(answer.path("segments").asInt()).isEqualTo(SEGMENTS);
  }

  @Test
  void aTaskThatIsCancelledEndsAfterTheSegmentsInWork() throws Exception {
    CountDownLatch begun = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    rest.shards.reencoding(copy -> {
      if (left.containsKey(copy.copy().copyId())) {
        begun.countDown();
        awaitUnchecked(goOn);
      }
      return one(copy.copy().copyId());
    });

    String task =
        json(rest.call("POST /a/_reencode?wait_for_completion=false")).path("task").asString();
    assertThat(begun.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    JsonNode shown = json(rest.call("GET /_tasks/" + task)).path("task");
    assertThat(shown.path("action").asString()).isEqualTo("indices:admin/reencode");
    assertThat(shown.path("cancellable").asBoolean()).isTrue();
    assertThat(shown.path("status").has("segments")).isTrue();
    rest.call("POST /_tasks/" + task + "/_cancel");
    goOn.countDown();

    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> json(rest.call("GET /_tasks/" + task)).path("completed").asBoolean());
    assertThat(json(rest.call("GET /_tasks/" + task)).at("/error/type").asString())
        .isEqualTo("task_cancelled_exception");
    assertThat(left).containsEntry("a0p", SEGMENTS - 1).containsEntry("a1p", SEGMENTS - 1);
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
