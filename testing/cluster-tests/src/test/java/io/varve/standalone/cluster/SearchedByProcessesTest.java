package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An index becomes search-only, gets another search copy, loses the process of one, is searched
 * during all of this, gives up the copy, becomes writable again and accepts writes.
 */
@Tag("system")
@Tag("nightly")
class SearchedByProcessesTest {

  private static final String SCALE = "{\"search_only\":%s}";

  @TempDir private Path folder;

  @Test
  void anIndexIsSearchedWithoutItsWritersOverTheLossOfANodeAndWrittenAgain() throws Exception {
    try (RunningCluster cluster =
        RunningCluster.start(
            folder.resolve("cluster"),
            "--store",
            folder.resolve("store").toString(),
            "--shard-services",
            "1",
            "--replication-services",
            "0",
            "--search-services",
            "2",
            "--ccr-followers",
            "0")) {
      TestIndex index = new TestIndex(cluster.rest(), "scaled");
      index
          .call(
              "PUT",
              "",
              """
              {"settings": {"number_of_replicas": 0, "number_of_search_replicas": 1,
                            "remote_store.enabled": true, "refresh_interval": "-1"}}\
              """)
          .orThrow();
      index.awaitGreen();
      index.index(0, 20);

      index.call("POST", "/_scale", SCALE.formatted(true)).orThrow();
      copies(index, 2);
      assertThat(index.nodesOf("p")).isEmpty();
      assertThat(index.count("")).isEqualTo(20);
      assertThat(index.call("PUT", "/_doc/d7", "{}").status()).isEqualTo(403);

      String lost = index.nodesOf("s").getFirst();
      cluster.kill(lost);
      index.awaitCount("", 20);
      index.awaitGreen();
      copies(index, 1);
      // The search may reach the copy whose process is restarting.
      index.awaitCount("", 20);

      index.call("POST", "/_scale", SCALE.formatted(false)).orThrow();
      index.awaitGreen();
      assertThat(index.put(20).path("_seq_no").asInt()).isEqualTo(20);
      index.refresh();
      assertThat(index.count("_primary")).isEqualTo(21);
    }
  }

  private static void copies(TestIndex index, int count) throws IOException {
    RestCalls.Answer answer =
        index.call("PUT", "/_settings", "{\"index.number_of_search_replicas\":" + count + "}");
    answer.orThrow();
    Await.within(TestIndex.SOON)
        .untilAsserted(() -> {
          List<String> nodes = index.nodesOf("s");
          assertThat(nodes).hasSize(count).doesNotHaveDuplicates();
          assertThat(index.copies("shard")).hasSize(count);
        });
  }
}
