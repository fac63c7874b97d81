package io.varve.coordinator.rest.task;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.rest.TaskKind;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A task that accepts any rate, and one without a rate. */
class RethrottleEndpointTest {

  private static final TaskKind KIND = new TaskKind("indices:data/write/reindex", "", true);

  private final RestHarness rest = new RestHarness();
  private final List<Float> paces = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private String paced = "";
  private String unpaced = "";

  @BeforeEach
  void startTasks() {
    Task task = start();
    task.goesAt(paces::add);
    paced = task.id().toString();
    unpaced = start().id().toString();
  }

  private Task start() {
    return rest.part(Tasks.class)
        .start(
            KIND,
            Map.of(),
            _ -> {
              end.await();
              return Map.of();
            });
  }

  @AfterEach
  void close() {
    end.countDown();
    rest.close();
  }

  private static String line(String operation, String task, String perSecond) {
    return "POST /" + operation + "/" + task + "/_rethrottle?requests_per_second=" + perSecond;
  }

  @ParameterizedTest
  @CsvSource({
    "_delete_by_query, 0.5, 0.5",
    "_update_by_query, 100, 100",
    "_reindex, -1, Infinity",
    "_rereplicate, 5000, 5000",
  })
  void changesThePaceOfARunningTask(String operation, String perSecond, float pace) {
    JsonNode answer = json(rest.call(line(operation, paced, perSecond)));

    assertThat(paces).containsExactly(pace);
    assertThat(answer.path("nodes").path("coordinator-node").path("tasks").has(paced)).isTrue();
    assertThat(answer.has("node_failures")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-2", "NaN", "fast"})
  void refusesAPaceThatIsNotAboveZero(String perSecond) throws Exception {
    var answer = rest.call(line("_reindex", paced, perSecond));

    assertThat(answer.getStatus()).isEqualTo(400);
    assertThat(answer.getContentAsString()).contains("requests_per_second");
    assertThat(paces).isEmpty();
  }

  @Test
  void refusesARequestWithoutAPace() throws Exception {
    var answer = rest.call("POST /_reindex/" + paced + "/_rethrottle");

    assertThat(answer.getStatus()).isEqualTo(400);
    assertThat(answer.getContentAsString()).contains("requests_per_second is a required parameter");
  }

  @Test
  void namesATaskThatHasNoPaceAsAFailure() {
    JsonNode answer = json(rest.call(line("_reindex", unpaced, "1")));

    assertThat(answer.path("node_failures").toString()).contains(unpaced);
    assertThat(answer.path("nodes").isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"coordinator-node:9999", FakeCluster.PRIMARY_NODE + ":1", "gone:1"})
  void namesATaskThatIsNotThereAsAFailure(String task) {
    JsonNode answer = json(rest.call(line("_reindex", task, "1")));

    assertThat(answer.path("node_failures").toString()).contains(task);
    assertThat(paces).isEmpty();
  }
}
