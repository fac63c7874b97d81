package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The process of the primary ends while clients search the index, and its only replica is promoted:
 * each search is answered by all shards, with all documents.
 */
@Tag("system")
class SearchedPromotionTest {

  private static final int DOCUMENTS = 2_000;

  @TempDir static Path data;
  private static RunningCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        RunningCluster.start(
            data, "--shard-services", "1", "--replication-services", "1", "--ccr-followers", "0");
  }

  @AfterEach
  void deleteIndices() throws IOException {
    TestIndex.deleteAll(cluster.rest());
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  @ParameterizedTest
  @CsvSource({"SEGMENT,KILL", "SEGMENT,TERM", "DOCUMENT,KILL", "DOCUMENT,TERM"})
  void noSearchLacksTheShardOfAnEndedPrimary(String replicationType, String signal)
      throws Exception {
    TestIndex index = create(replicationType, signal);
    String primary = index.nodeOfPrimary();
    try (SearchLoad searches = new SearchLoad(cluster.rest()::get, index.name(), DOCUMENTS)) {
      searches.awaitMore(100);
      if (signal.equals("KILL")) {
        cluster.kill(primary);
      } else {
        cluster.terminate(primary);
      }
      index.awaitPrimaryElsewhereThan(primary);
      searches.awaitMore(100);
      cluster.awaitGreen();
      searches.awaitMore(100);
      assertThat(searches.incomplete()).as("of %d searches", searches.complete()).isEmpty();
    }
  }

  private static TestIndex create(String replicationType, String signal) throws Exception {
    TestIndex index =
        new TestIndex(cluster.rest(), (replicationType + "-" + signal).toLowerCase(Locale.ROOT));
    index
        .call(
            "PUT",
            "",
            """
            {"settings":{"number_of_replicas":1,"index.replication.type":"%s"},
             "mappings":{"properties":{"n":{"type":"integer"}}}}\
            """
                .formatted(replicationType))
        .orThrow();
    cluster.awaitGreen();
    index.index(0, DOCUMENTS);
    index.refresh();
    return index;
  }
}
