package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Methods of {@code _rereplicate} on strong indices whose primaries know nothing of their records,
 * because the index was closed and opened.
 */
@Tag("system")
@ExtendWith(RunningCluster.Shared.class)
class RereplicationMethodsTest {

  /** More than a step of a job checks. */
  private static final int MANY = 3_000;

  private RunningCluster cluster;

  @BeforeEach
  void take(RunningCluster shared) {
    cluster = shared;
  }

  private TestIndex forgetful(String name, String type, int documents) throws Exception {
    TestIndex index = new TestIndex(cluster.rest(), name + "-" + type.toLowerCase(Locale.ROOT));
    index
        .call(
            "PUT",
            "",
            """
            {"settings":{"number_of_replicas":1,"refresh_interval":"-1",
              "index.replication.type":"%s","index.replication.consistency":"strong",
              "index.replication.appeals":"none"}}
            """
                .formatted(type))
        .orThrow();
    index.awaitGreen();
    index.index(0, documents);
    index.refresh();
    forget(index, documents);
    return index;
  }

  private void forget(TestIndex index, int documents) throws Exception {
    index.call("POST", "/_close", "").orThrow();
    index.call("POST", "/_open", "").orThrow();
    index.awaitGreen();
    Await.within(TestIndex.SOON)
        .untilAsserted(() -> assertThat(unreplicated(index)).isEqualTo(documents));
  }

  private long unreplicated(TestIndex index) throws IOException {
    JsonNode rows =
        cluster
            .rest()
            .get("/_cat/replication/" + index.name() + "?format=json&h=unreplicated_records")
            .orThrow()
            .json();
    return rows.path(0).path("unreplicated_records").asLong(-1);
  }

  private long term(TestIndex index) throws IOException {
    return cluster
        .rest()
        .get("/_cat/replication/" + index.name() + "?format=json&h=term")
        .orThrow()
        .json()
        .path(0)
        .path("term")
        .asLong(-1);
  }

  private static JsonNode run(TestIndex index, String parameters, String body) throws IOException {
    return index.call("POST", "/_rereplicate?" + parameters, body).orThrow().json();
  }

  /** Version and source by id. */
  private static SortedMap<String, String> documents(TestIndex index) throws IOException {
    index.refresh();
    SortedMap<String, String> documents = new TreeMap<>();
    for (JsonNode hit : index.get("/_search?size=5000&version=true").at("/hits/hits")) {
      documents.put(hit.path("_id").asString(), hit.path("_version") + " " + hit.path("_source"));
    }
    return documents;
  }

  @ParameterizedTest
  @ValueSource(strings = {"SEGMENT", "DOCUMENT"})
  void aTouchGivesEachDocumentItsNextVersionOnceAndKeepsItsSource(String type) throws Exception {
    TestIndex index = forgetful("touched", type, 50);

    JsonNode answer = run(index, "method=touch", "");

    assertThat(answer.path("updated").asInt()).isEqualTo(50);
    assertThat(answer.path("re_replicated").asInt()).isEqualTo(50);
    assertThat(answer.path("version_conflicts").asInt()).isZero();
    assertThat(answer.path("failures")).isEmpty();
    SortedMap<String, String> after = documents(index);
    assertThat(after).hasSize(50);
    for (int n = 0; n < 50; n++) {
      assertThat(after).containsEntry("d" + n, "2 {\"n\":" + n + "}");
    }
    assertThat(unreplicated(index)).isZero();
  }

  @Test
  void aTouchPassesOverDocumentsThatWereNotFoundByItsQuery() throws Exception {
    TestIndex index = forgetful("touched-some", "SEGMENT", 20);

    JsonNode answer = run(index, "method=touch", "{\"query\":{\"range\":{\"n\":{\"gte\":15}}}}");

    assertThat(answer.path("updated").asInt()).isEqualTo(5);
    assertThat(answer.path("total").asInt()).isEqualTo(5);
    assertThat(documents(index))
        .containsEntry("d14", "1 {\"n\":14}")
        .containsEntry("d15", "2 {\"n\":15}");
    assertThat(unreplicated(index)).isEqualTo(15);
  }

  @ParameterizedTest
  @ValueSource(strings = {"peek", "statement", "execute"})
  void onlyMatchingDocumentsChangeTheirState(String method) throws Exception {
    TestIndex index = forgetful("matching-" + method, "DOCUMENT", 20);
    String operations = method.equals("peek") ? "" : ",\"operations\":[\"read\"]";

    JsonNode answer =
        run(
            index,
            "method=" + method,
            "{\"query\":{\"range\":{\"n\":{\"lt\":8}}}" + operations + "}");

    assertThat(answer.path("re_replicated").asInt()).isEqualTo(8);
    assertThat(answer.path("checked").asInt()).isEqualTo(8);
    assertThat(unreplicated(index)).isEqualTo(12);
    assertThat(documents(index).values()).allMatch(document -> document.startsWith("1 "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"statement", "execute"})
  void anUpdateReachesEachDocumentWithItsDocAndCountsThoseThatHaveItAlready(String method)
      throws Exception {
    TestIndex index = forgetful("updated-" + method, "SEGMENT", 20);
    String body = "{\"operations\":[\"read\",{\"update\":{\"doc\":{\"n\":7}}}]}";

    JsonNode answer = run(index, "method=" + method, body);

    assertThat(answer.path("re_replicated").asInt()).isEqualTo(20);
    assertThat(answer.path("updated").asInt()).isEqualTo(19);
    assertThat(answer.path("noops").asInt()).isEqualTo(1);
    assertThat(documents(index))
        .containsEntry("d7", "1 {\"n\":7}")
        .containsEntry("d8", "2 {\"n\":7}");
    assertThat(unreplicated(index)).isZero();
  }

  /** Begins a slow job, cancels it once it has checked some records, and returns its answer. */
  private JsonNode cancelled(TestIndex index, String parameters) throws Exception {
    String task =
        index
            .call("POST", "/_rereplicate?wait_for_completion=false&" + parameters, "")
            .orThrow()
            .json()
            .path("task")
            .asString();
    Await.within(TestIndex.SOON)
        .untilAsserted(
            () -> assertThat(task(task).at("/task/status/checked").asLong(0)).isPositive());
    cluster.rest().call("POST", "/_tasks/" + task + "/_cancel", "").orThrow();
    Await.within(TestIndex.SOON)
        .untilAsserted(() -> assertThat(task(task).path("completed").asBoolean()).isTrue());
    return task(task).path("response");
  }

  private JsonNode task(String task) throws IOException {
    return cluster.rest().get("/_tasks/" + task).orThrow().json();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SEGMENT", "DOCUMENT"})
  void aCancelledJobKeepsWhatItProvedAndItsTokenContinuesThere(String type) throws Exception {
    TestIndex index = forgetful("cancelled", type, MANY);

    JsonNode stopped = cancelled(index, "requests_per_second=20");

    long first = stopped.path("checked").asLong();
    assertThat(stopped.path("canceled").asString("")).isEqualTo("by user request");
    assertThat(first).isBetween(1L, MANY - 1L);
    assertThat(stopped.at("/shards/0/done").asBoolean()).isFalse();
    assertThat(unreplicated(index)).isEqualTo(MANY - first);

    JsonNode resumed = run(index, "resume=" + stopped.path("resume").asString(), "");

    assertThat(resumed.at("/shards/0/restarted").asBoolean()).isFalse();
    assertThat(resumed.path("checked").asLong()).isEqualTo(MANY - first);
    assertThat(unreplicated(index)).isZero();
  }

  @Test
  void underAnotherPrimaryAPeekBeginsAgainAndATouchGoesOn() throws Exception {
    TestIndex peeked = forgetful("peek-again", "DOCUMENT", MANY);
    TestIndex touched = forgetful("touch-on", "DOCUMENT", MANY);
    JsonNode peek = cancelled(peeked, "requests_per_second=20");
    JsonNode touch = cancelled(touched, "method=touch&requests_per_second=20");
    assertThat(touch.path("updated").asLong()).isBetween(1L, MANY - 1L);
    List<Long> terms = List.of(term(peeked), term(touched));
    for (String node : new TreeSet<>(List.of(peeked.nodeOfPrimary(), touched.nodeOfPrimary()))) {
      cluster.kill(node);
    }
    Await.within(TestIndex.SOON)
        .untilAsserted(() -> {
          assertThat(term(peeked)).isGreaterThan(terms.get(0));
          assertThat(term(touched)).isGreaterThan(terms.get(1));
        });
    peeked.awaitGreen();
    touched.awaitGreen();

    JsonNode again = run(peeked, "resume=" + peek.path("resume").asString(), "");
    assertThat(again.at("/shards/0/restarted").asBoolean()).isTrue();
    assertThat(again.at("/shards/0/done").asBoolean()).isTrue();
    assertThat(again.path("checked").asInt()).as("all of them").isEqualTo(MANY);
    assertThat(unreplicated(peeked)).isZero();

    JsonNode on = run(touched, "method=touch&resume=" + touch.path("resume").asString(), "");
    assertThat(on.at("/shards/0/restarted").asBoolean()).isFalse();
    assertThat(documents(touched).values())
        .as("each document was touched once")
        .hasSize(MANY)
        .allMatch(document -> document.startsWith("2 "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SEGMENT", "DOCUMENT"})
  void aCheckpointComparesTheCopiesBeforeItTakesTheirWord(String type) throws Exception {
    TestIndex index = forgetful("verified", type, 30);

    JsonNode answer = run(index, "method=checkpoint&verify=digest", "");

    assertThat(answer.path("failures")).isEmpty();
    assertThat(answer.path("errors").asInt()).isZero();
    assertThat(answer.at("/compared/ranges").asInt()).isEqualTo(type.equals("DOCUMENT") ? 1 : 0);
    assertThat(answer.at("/compared/files").asInt() > 0).isEqualTo(type.equals("SEGMENT"));
    assertThat(unreplicated(index)).isZero();
  }
}
