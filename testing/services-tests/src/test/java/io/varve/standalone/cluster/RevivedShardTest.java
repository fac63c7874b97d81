package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The log of a strong index loses its end on a real broker; the shard is dead until revived. */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class RevivedShardTest {

  private static final int WRITTEN = 20;

  private ServicesInOneJvm cluster;

  @BeforeEach
  void take(ServicesInOneJvm shared) throws IOException {
    cluster = shared;
    Patience.begin(cluster.rest());
  }

  private TestIndex created(String name, String type) throws Exception {
    return cluster.create(
        name + "-" + type.toLowerCase(Locale.ROOT),
        """
        {"number_of_replicas":1,"refresh_interval":"-1","index.replication.type":"%s",
          "index.replication.consistency":"strong",
          "index.unassigned.node_left.delayed_timeout":"0s"}
        """
            .formatted(type));
  }

  private TestIndex written(String type) throws Exception {
    TestIndex index = created("revived", type);
    for (int n = 0; n < WRITTEN; n++) {
      index.put(n);
    }
    for (int n = 0; n < WRITTEN; n++) {
      assertThat(index.get("/_doc/d" + n).path("found").asBoolean()).isTrue();
    }
    return index;
  }

  private void cut(TestIndex index) throws Exception {
    String topic = "varve.varve.ops." + index.uuid();
    cluster.whileTheBrokerIsStopped(stopped -> stopped.cutEnd(topic, 0, WRITTEN / 2));
  }

  private static RestCalls.Answer revive(TestIndex index, String parameters) throws IOException {
    return index.call("POST", "/_revive?timeout=1s" + parameters, "");
  }

  private void assertDead(TestIndex index) throws IOException {
    assertThat(index.call("PUT", "/_doc/late?timeout=1s", "{\"n\":1}").status())
        .as("nothing is acked on the gap")
        .isEqualTo(503);
    index.awaitHealth("red");
    assertThat(index.call("PUT", "/_doc/late?timeout=1s", "{\"n\":1}").status()).isEqualTo(503);
    assertThat(index.call("GET", "/_doc/d1?consistency_timeout=1s", "").status()).isEqualTo(503);
    Await.within(TestIndex.SOON)
        .untilAsserted(() ->
            assertThat(
                    cluster
                        .rest()
                        .call(
                            "POST",
                            "/_cluster/allocation/explain",
                            "{\"index\":\"%s\",\"shard\":0,\"primary\":true}"
                                .formatted(index.name()))
                        .orThrow()
                        .json()
                        .at("/unassigned_info/details")
                        .asString(""))
                .contains("the log ends at offset"));
  }

  /** The replica may still be noticing that its log was cut. */
  private static JsonNode reviveWhenClosed(TestIndex index) {
    JsonNode[] answer = {null};
    Await.within(TestIndex.SOON)
        .until(() -> {
          RestCalls.Answer now = revive(index, "");
          assertThat(now.status()).as(now::text).isIn(200, 503);
          answer[0] = now.json();
          return now.status() == 200;
        });
    return answer[0];
  }

  @ParameterizedTest
  @ValueSource(strings = {"SEGMENT", "DOCUMENT"})
  void aLostTailIsContinuedFromTheCopyFurthestOnAndWhatWasReadIsThere(String type)
      throws Exception {
    TestIndex index = written(type);
    cut(index);
    assertDead(index);

    JsonNode revived = reviveWhenClosed(index);

    assertThat(revived.at("/shards/0/next_seq_no").asInt()).isGreaterThanOrEqualTo(WRITTEN);
    assertThat(revived.at("/shards/0/reason").asString()).contains("the log ends at offset");
    index.awaitGreen();
    for (int n = 0; n < WRITTEN; n++) {
      assertThat(index.get("/_doc/d" + n).at("/_source/n").asInt()).isEqualTo(n);
    }
    JsonNode put = index.put(WRITTEN, "?refresh=true");
    assertThat(put.path("_seq_no").asInt()).isGreaterThanOrEqualTo(WRITTEN);
    assertThat(index.count("_primary")).isEqualTo(WRITTEN + 1);
    assertThat(index.count("_replica")).as("it was rebuilt").isEqualTo(WRITTEN + 1);

    String primary = index.nodeOfPrimary();
    cluster.stop(primary);
    try {
      index.awaitPrimaryElsewhereThan(primary);
      Await.within(TestIndex.SOON)
          .until(() -> index.call("PUT", "/_doc/d1?timeout=5s", "{\"n\":1}").status() == 200);
      assertThat(index.count("_primary")).isEqualTo(WRITTEN + 1);
    } finally {
      cluster.start(primary);
    }
  }

  /** What the replica shows fits the log that was cut, and is behind the one that was revived. */
  @ParameterizedTest
  @ValueSource(strings = {"SEGMENT", "DOCUMENT"})
  void aReplicaThatShowsLessThanTheCutLogHoldsDoesNotKeepTheRevivedShardRed(String type)
      throws Exception {
    TestIndex index = created("behind", type);
    for (int n = 0; n < WRITTEN / 4; n++) {
      index.put(n);
    }
    index.refresh();
    Await.within(TestIndex.SOON).until(() -> index.count("_replica") == WRITTEN / 4);
    for (int n = WRITTEN / 4; n < WRITTEN; n++) {
      index.put(n);
    }
    cut(index);
    assertThat(index.call("PUT", "/_doc/late?timeout=1s", "{\"n\":1}").status()).isEqualTo(503);
    index.awaitHealth("red");

    reviveWhenClosed(index);

    index.awaitGreen();
    index.refresh();
    assertThat(index.count("_primary")).isEqualTo(WRITTEN);
    Await.within(TestIndex.SOON).until(() -> index.count("_replica") == WRITTEN);
  }

  @Test
  void aShardWhoseLogFitsIsNotRevived() throws Exception {
    TestIndex index = written("SEGMENT");
    RestCalls.Answer answer = revive(index, "&accept_data_loss=true");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.text()).contains("is dead");
    index.put(WRITTEN);
  }
}
