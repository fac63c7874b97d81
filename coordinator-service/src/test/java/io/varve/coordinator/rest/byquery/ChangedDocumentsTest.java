package io.varve.coordinator.rest.byquery;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.RestHarness;
import io.varve.rpc.GetResult;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/**
 * A client deletes or changes one of the documents that a job has found, before the job writes it.
 * As in OpenSearch, that is a version conflict, whatever the job writes.
 */
class ChangedDocumentsTest {

  private static final int DOCUMENTS = 5;
  private static final String CHANGED = "3";

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void fiveDocumentsInOneShard() {
    rest.cluster.index("a", 1, Map.of("index.replication.consistency", "strong"));
    for (int i = 0; i < DOCUMENTS; i++) {
      rest.call("PUT /a/_doc/" + i, "{\"n\":1}");
    }
  }

  @AfterEach
  void close() {
    rest.close();
  }

  private static GetResult again(GetResult old) {
    return new GetResult(
        true,
        old.id(),
        old.routing(),
        old.version() + 1,
        DOCUMENTS,
        old.primaryTerm(),
        old.source());
  }

  private MockHttpServletResponse run(String job, String change, String conflicts) {
    AtomicBoolean changed = new AtomicBoolean();
    rest.shards.onBulk(_ -> {
      if (changed.compareAndSet(false, true)) {
        rest.shards.change(CHANGED, old -> change.equals("deleted") ? null : again(old));
      }
    });
    String all = "\"query\":{\"match_all\":{}}";
    return switch (job) {
      case "statement with update" ->
          rest.call(
              "POST /a/_rereplicate?method=statement&conflicts=" + conflicts,
              "{" + all + ",\"operations\":[\"read\",{\"update\":{\"doc\":{\"n\":7}}}]}");
      case "statement with touch" ->
          rest.call(
              "POST /a/_rereplicate?method=statement&conflicts=" + conflicts,
              "{" + all + ",\"operations\":[\"read\",\"touch\"]}");
      default -> rest.call("POST /a/" + job + "?conflicts=" + conflicts, "{" + all + "}");
    };
  }

  @ParameterizedTest
  @CsvSource({
    "_delete_by_query, changed, deleted",
    "_delete_by_query, deleted, deleted",
    "_update_by_query, changed, updated",
    "_update_by_query, deleted, updated",
    "statement with touch, changed, updated",
    "statement with touch, deleted, updated",
    "statement with update, changed, updated",
    "statement with update, deleted, updated",
  })
  void aDocumentThatHasChangedIsAConflict(String job, String change, String written) {
    MockHttpServletResponse response = run(job, change, "proceed");

    JsonNode answer = json(response);
    assertThat(response.getStatus()).isEqualTo(200);
    assertThat(answer.path("failures")).isEmpty();
    assertThat(answer.path("version_conflicts").asInt()).isEqualTo(1);
    assertThat(answer.path(written).asInt()).isEqualTo(DOCUMENTS - 1);
  }

  @ParameterizedTest
  @CsvSource({
    "_delete_by_query, changed, version_conflict_engine_exception",
    "_delete_by_query, deleted, version_conflict_engine_exception",
    "_update_by_query, changed, version_conflict_engine_exception",
    "_update_by_query, deleted, version_conflict_engine_exception",
    "statement with touch, changed, version_conflict_engine_exception",
    "statement with touch, deleted, version_conflict_engine_exception",
    "statement with update, changed, version_conflict_engine_exception",
    "statement with update, deleted, document_missing_exception",
  })
  void aConflictEndsAJobThatAborts(String job, String change, String type) {
    MockHttpServletResponse response = run(job, change, "abort");

    JsonNode answer = json(response);
    assertThat(response.getStatus()).isEqualTo(409);
    assertThat(answer.path("version_conflicts").asInt()).isEqualTo(1);
    assertThat(answer.path("failures")).hasSize(1);
    assertThat(answer.at("/failures/0/id").asString()).isEqualTo(CHANGED);
    assertThat(answer.at("/failures/0/status").asInt()).isEqualTo(409);
    assertThat(answer.at("/failures/0/cause/type").asString()).isEqualTo(type);
  }
}
