package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.fields.MetaFields;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.nio.file.Path;
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
import tools.jackson.databind.JsonNode;

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

  @Test
  void aCopyWithoutADocumentThatTheLogHasIsRebuiltAndListed() throws Exception {
    TestIndex index =
        cluster.create(
            "contradicted",
            """
            {"number_of_replicas":1,"refresh_interval":"100ms",
              "index.replication.type":"DOCUMENT","index.replication.consistency":"strong",
              "index.replication.appeals":"none"}
            """);
    for (int n = 0; n < DOCUMENTS; n++) {
      index.put(n);
    }
    String replica = index.nodesOf("r").getFirst();
    String copyId = copyId(index);
    cluster.restart(replica, () -> forget(cluster.segmentFolder(replica, index), "d3"));
    // Another primary knows nothing of the records, so it asks for them.
    cluster.restart(index.nodeOfPrimary());
    index.awaitGreen();

    boolean[] refused = {false};
    Await.within(TestIndex.SOON)
        .until(() -> {
          RestCalls.Answer answer = index.call("GET", "/_doc/d3?consistency_timeout=2s", "");
          refused[0] |= answer.status() == 503;
          assertThat(answer.status()).as(answer::text).isIn(200, 503, 504);
          return answer.status() == 200 && !copyId(index).equals(copyId);
        });

    assertThat(refused[0]).as("nothing was returned that a copy does not hold").isTrue();
    index.awaitGreen();
    assertThat(index.count("_replica")).isEqualTo(DOCUMENTS);
    JsonNode row = cluster.rest().get("/_cat/replication/contradicted?format=json").json().path(0);
    assertThat(row.path("contradictions").asString()).isEqualTo("1");
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
      writer.setLiveCommitData(
          SegmentInfos.readLatestCommit(directory).getUserData().entrySet());
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
