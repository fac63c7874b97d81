package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.fields.MetaFields;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** A copy of a strong index lost a document without any damage to its files. */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class ContradictedCopyTest {

  private static final int DOCUMENTS = 20;

  private ServicesInOneJvm cluster;

  @BeforeEach
  void take(ServicesInOneJvm shared) {
    cluster = shared;
  }

  private TestIndex written(String name, String type, String appeals) throws Exception {
    TestIndex index =
        cluster.create(
            name,
            """
            {"number_of_replicas":1,"refresh_interval":"100ms","index.replication.type":"%s",
              "index.replication.consistency":"strong","index.replication.appeals":"%s"}
            """
                .formatted(type, appeals));
    for (int n = 0; n < DOCUMENTS; n++) {
      index.put(n);
    }
    return index;
  }

  private String replication(TestIndex index, String column) throws IOException {
    return cluster
        .rest()
        .get("/_cat/replication/" + index.name() + "?format=json")
        .json()
        .path(0)
        .path(column)
        .asString("");
  }

  @Test
  void aCopyWithoutADocumentThatTheLogHasIsRebuiltAndListed() throws Exception {
    TestIndex index = written("contradicted", "DOCUMENT", "none");
    String replica = index.nodesOf("r").getFirst();
    String copyId = copyId(index);
    cluster.restart(replica, () -> forget(cluster.segmentFolder(replica, index), "d3"));
    // Another primary knows nothing of the records, so it asks for them.
    cluster.restart(index.nodeOfPrimary());
    index.awaitGreen();

    // The get may wait until the copy is rebuilt.
    Await.within(TestIndex.SOON)
        .until(() -> {
          RestCalls.Answer answer = index.call("GET", "/_doc/d3?consistency_timeout=2s", "");
          assertThat(answer.status()).as(answer::text).isIn(200, 503, 504);
          return answer.status() == 200;
        });

    assertThat(copyId(index)).isNotEqualTo(copyId);
    assertThat(replication(index, "re_repl_error")).isNotEqualTo("0");
    index.awaitGreen();
    assertThat(index.count("_replica")).isEqualTo(DOCUMENTS);
    assertThat(replication(index, "contradictions")).isEqualTo("1");
    JsonNode listed = contradictions();
    assertThat(listed).hasSize(1);
    assertThat(listed.path(0).path("_id").asString()).isEqualTo("d3");
    assertThat(listed.path(0).path("copy").asString()).isEqualTo(copyId);
    assertThat(listed.path(0).path("state").asString()).isEqualTo("copy_rebuilt");
  }

  private JsonNode contradictions() throws IOException {
    for (JsonNode node : cluster.rest().get("/_nodes/stats/rereplication").json().path("nodes")) {
      JsonNode listed = node.at("/rereplication/contradictions");
      if (!listed.isEmpty()) {
        return listed;
      }
    }
    return MissingNode.getInstance();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SEGMENT", "DOCUMENT"})
  void aDigestOfEqualCopiesProvesAllRecordsWithoutAQuestionForASingleOne(String type)
      throws Exception {
    TestIndex index = written("digest-" + type.toLowerCase(Locale.ROOT), type, "digest");
    index.delete(0, 2);
    cluster.restart(index.nodeOfPrimary());
    index.awaitGreen();

    Await.within(TestIndex.SOON)
        .untilAsserted(() ->
            assertThat(replication(index, "appeals_records_exonerated"))
                .isEqualTo(Integer.toString(DOCUMENTS + 2)));
    assertThat(replication(index, "unreplicated_records")).isEqualTo("0");
    assertThat(replication(index, "re_repl_success")).isEqualTo("0");
  }

  @Test
  void aDigestFindsACopyThatLacksADocumentWithoutARead() throws Exception {
    TestIndex index = written("digest-differs", "DOCUMENT", "digest");
    String replica = index.nodesOf("r").getFirst();
    String copyId = copyId(index);
    cluster.restart(replica, () -> forget(cluster.segmentFolder(replica, index), "d3"));
    cluster.restart(index.nodeOfPrimary());

    Await.within(TestIndex.SOON)
        .until(() ->
            !copyId(index).equals(copyId)
                && replication(index, "unreplicated_records").equals("0"));
    index.awaitGreen();
    assertThat(index.count("_replica")).isEqualTo(DOCUMENTS);
    assertThat(replication(index, "contradictions")).isEqualTo("1");
  }

  @Test
  void aVerifiedCheckpointTakesBackTheProofAndHasTheCopyRebuilt() throws Exception {
    TestIndex index = written("checkpoint-differs", "DOCUMENT", "watermark");
    String replica = index.nodesOf("r").getFirst();
    String copyId = copyId(index);
    cluster.restart(replica, () -> forget(cluster.segmentFolder(replica, index), "d3"));
    index.awaitGreen();
    assertThat(replication(index, "unreplicated_records")).as("the copy says so").isEqualTo("0");

    JsonNode found =
        index.call("POST", "/_rereplicate?method=checkpoint&verify=digest", "").orThrow().json();

    assertThat(found.at("/failures/0/reason/type").asString()).isEqualTo("copies_differ_exception");
    assertThat(found.at("/failures/0/reason/reason").asString()).contains("[d3]");
    Await.within(TestIndex.SOON)
        .until(() -> !copyId(index).isEmpty() && !copyId(index).equals(copyId));
    index.awaitGreen();
    assertThat(replication(index, "contradictions")).isEqualTo("1");
    assertThat(index.count("_replica")).isEqualTo(DOCUMENTS);
    JsonNode again =
        index.call("POST", "/_rereplicate?method=checkpoint&verify=digest", "").orThrow().json();
    assertThat(again.path("failures")).isEmpty();
    assertThat(again.path("unreplicated_records").asInt()).isZero();
  }

  @Test
  void aPrimaryWithoutADocumentThatTheLogHasIsRebuilt() throws Exception {
    TestIndex index = written("primary-differs", "DOCUMENT", "none");
    String primary = index.nodeOfPrimary();
    cluster.restart(primary, () -> forget(cluster.segmentFolder(primary, index), "d3"));

    // Whether it keeps the shard or gives it to the replica, a get must return the document.
    Await.within(TestIndex.SOON)
        .until(() -> {
          RestCalls.Answer answer = index.call("GET", "/_doc/d3?consistency_timeout=2s", "");
          assertThat(answer.status()).as(answer::text).isIn(200, 503, 504);
          return answer.status() == 200;
        });
    Await.within(TestIndex.SOON)
        .until(() -> {
          JsonNode answer =
              index.call("POST", "/_rereplicate?method=checkpoint&verify=digest", "").json();
          return answer.has("failures")
              && answer.path("failures").isEmpty()
              && replication(index, "unreplicated_records").equals("0");
        });
    index.awaitGreen();
    assertThat(index.count("_replica")).isEqualTo(DOCUMENTS);
    assertThat(index.count("_primary")).isEqualTo(DOCUMENTS);
  }

  /** Deletes a document from a copy's last commit, which stays one of the same operations. */
  private static void forget(Path folder, String id) throws IOException {
    try (Directory directory = FSDirectory.open(folder);
        IndexWriter writer =
            new IndexWriter(
                directory,
                new IndexWriterConfig()
                    .setSoftDeletesField(MetaFields.SOFT_DELETES)
                    .setMergePolicy(NoMergePolicy.INSTANCE))) {
      writer.setLiveCommitData(SegmentInfos.readLatestCommit(directory).getUserData().entrySet());
      assertThat(writer.deleteDocuments(new Term(MetaFields.ID, id))).isNotNegative();
      writer.commit();
    }
  }

  private static String copyId(TestIndex index) throws IOException {
    for (JsonNode copy : index.get("/_search_shards").at("/shards/0")) {
      if (!copy.path("primary").asBoolean()) {
        return copy.at("/allocation_id/id").asString("");
      }
    }
    return "";
  }
}
