package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.kafka.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Restores an index from the segment store after the loss of the log and of every disk. */
@Tag("system")
class RestoredFromStoreTest {

  @TempDir private Path folder;

  @Test
  void anIndexBeginsAgainWithWhatIsStored() throws Exception {
    try (Standalone first = start("first");
        RestCalls rest = new RestCalls(first.url())) {
      rest.call(
              "PUT",
              "/books",
              """
              {"settings": {"number_of_shards": 2}, "aliases": {"reading": {}},
               "mappings": {"properties": {"n": {"type": "integer"}}}}\
              """)
          .orThrow();
      for (int n = 0; n < 20; n++) {
        rest.call("PUT", "/books/_doc/" + n, "{\"n\":" + n + "}").orThrow();
      }
      rest.call("POST", "/books/_refresh", "").orThrow();
      awaitStored(rest);
    }
    try (Standalone second = start("second");
        RestCalls rest = new RestCalls(second.url())) {
      assertThat(rest.get("/books").status()).isEqualTo(404);
      JsonNode answer =
          rest.call(
                  "POST",
                  "/_remotestore/_restore?wait_for_completion=true",
                  "{\"indices\":[\"boo*\"]}")
              .orThrow()
              .json()
              .path("remote_store");

      assertThat(answer.path("shards").path("successful").asInt()).isEqualTo(2);
      int operations = 0;
      for (JsonNode shard : answer.path("restored").path("books")) {
        operations += shard.path("max_seq_no").asInt() + 1;
      }
      assertThat(operations).isEqualTo(20);
      assertThat(rest.get("/reading/_count").orThrow().json().path("count").asInt())
          .as("documents of the restored index")
          .isEqualTo(20);
      JsonNode again = rest.call("PUT", "/books/_doc/7", "{\"n\":8}").orThrow().json();
      assertThat(again.path("_version").asInt()).isEqualTo(2);
      assertThat(again.path("_primary_term").asInt()).isEqualTo(2);
    }
  }

  /** Waits until the primaries of both shards have stored the manifest of the last refresh. */
  private static void awaitStored(RestCalls rest) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(5))
        .untilAsserted(() -> {
          JsonNode shards =
              rest.get("/_remotestore/stats/books").orThrow().json().at("/indices/books/shards");
          assertThat(shards).hasSize(2);
          for (JsonNode shard : shards) {
            for (JsonNode copy : shard) {
              if (copy.path("routing").path("primary").asBoolean()) {
                JsonNode upload = copy.path("segment").path("upload");
                assertThat(upload.path("refresh_time_lag_in_millis").asLong(-1)).isZero();
              }
            }
          }
          assertThat(storedOperations(rest)).as("stored operations").isEqualTo(20);
        });
  }

  private static int storedOperations(RestCalls rest) throws IOException {
    int operations = 0;
    JsonNode shards =
        rest.get("/_remotestore/metadata/books").orThrow().json().at("/indices/books/shards");
    for (JsonNode copies : shards) {
      JsonNode shard = copies.path(0);
      JsonNode newest =
          shard
              .path("available_segment_metadata_files")
              .path(shard.path("latest_segment_metadata_filename").asString(""));
      operations += newest.at("/replication_checkpoint/max_seq_no").asInt(-1) + 1;
    }
    return operations;
  }

  private Standalone start(String data) throws Exception {
    Standalone standalone =
        Standalone.start(
            new Standalone.Settings(
                folder.resolve(data),
                FreePorts.next(),
                "os",
                PatientLeader.arguments(
                    "--varve.store.type=directory",
                    "--varve.store.directory=" + folder.resolve("store"))));
    assertThat(
            Readiness.awaitGreen(
                standalone.url(), Standalone.NODES, Duration.ofMinutes(5), () -> true))
        .isTrue();
    return standalone;
  }
}
