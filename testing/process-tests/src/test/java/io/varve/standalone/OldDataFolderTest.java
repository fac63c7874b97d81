package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.kafka.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A data folder that commit 4d4b64f wrote, log and copies alike, opens without conversion. The
 * script {@code written-by-4d4b64f/write.sh} created this content:
 *
 * <pre>
 *   books     2 shards, SEGMENT replicas, documents 0 to 89 and "versioned", 0 to 9 updated once
 *   notes     1 shard, DOCUMENT replica, n0 to n49 without n1, n0 written twice
 *   copied    follows notes; the remote cluster is its own
 *   derived   sources derived from doc values
 *   closed    a closed index with one document
 *   logs-1    from a legacy template, events-1 from a composable one
 * </pre>
 *
 * The newest operations of books and notes are in no Lucene commit, so the copies replay them.
 */
@Tag("system")
class OldDataFolderTest {

  private static final Duration WITHIN = Duration.ofMinutes(5);
  private static final List<String> COPIES = List.of("_primary", "_replica");

  @TempDir private Path folder;

  @Test
  void opensWithoutConversion() throws Exception {
    unzip("/written-by-4d4b64f/data.zip", folder);
    int port = FreePorts.next();
    try (Standalone varve =
            Standalone.start(
                new Standalone.Settings(folder, port, "os", PatientLeader.arguments()));
        RestCalls rest = new RestCalls(varve.url())) {
      assertThat(Readiness.awaitGreen(varve.url(), Standalone.NODES, WITHIN, () -> true)).isTrue();
      booksAreFound(rest);
      booksKeepTheirVersions(rest);
      booksKeepMappingAndAliases(rest);
      notesAreOnBothCopies(rest);
      otherIndicesAreThere(rest);
      templatesApply(rest);
      newWritesGoOn(rest);
      theFollowerGoesOn(rest, port);
      theFeatureLevelCanBeRaised(rest);
    }
  }

  private static void booksAreFound(RestCalls rest) throws IOException {
    for (String copy : COPIES) {
      assertThat(count(rest, "books", copy, "{\"match_all\":{}}")).as(copy).isEqualTo(91);
      assertThat(count(rest, "books", copy, "{\"match_phrase\":{\"title\":\"book 42\"}}")).isOne();
      assertThat(count(rest, "books", copy, "{\"term\":{\"author\":\"AUTHOR 3\"}}")).isEqualTo(13);
      assertThat(count(rest, "books", copy, "{\"term\":{\"lent\":false}}")).isEqualTo(10);
      assertThat(count(rest, "books", copy, "{\"term\":{\"address\":\"10.0.0.0/28\"}}"))
          .isEqualTo(16);
      assertThat(count(rest, "books", copy, "{\"range\":{\"years\":{\"gte\":1950,\"lte\":1950}}}"))
          .isEqualTo(10);
      assertThat(count(rest, "books", copy, "{\"wildcard\":{\"path\":\"*/3/*\"}}")).isEqualTo(18);
      assertThat(count(rest, "books", copy, "{\"term\":{\"labels.shelf\":\"s1\"}}")).isEqualTo(30);
      assertThat(count(rest, "books", copy, "{\"match\":{\"publisher.city\":\"town\"}}"))
          .isEqualTo(90);
      assertThat(
              count(
                  rest,
                  "books",
                  copy,
                  """
                  {"nested": {"path": "reviews", "query": {"bool": {"must": [
                    {"term": {"reviews.who": "ann"}}, {"term": {"reviews.stars": 4}}]}}}}\
                  """))
          .isEqualTo(18);
      assertThat(
              count(
                  rest,
                  "books",
                  copy,
                  """
                  {"geo_bounding_box": {"place": {
                    "top_left": {"lat": 9.5, "lon": 8}, "bottom_right": {"lat": 4.5, "lon": 9}}}}\
                  """))
          .isEqualTo(10);
      JsonNode answer =
          search(
              rest,
              "books",
              copy,
              """
              {"size": 3, "sort": [{"price": "desc"}], "docvalue_fields": ["printed"],
               "aggs": {"pages": {"sum": {"field": "pages"}},
                        "houses": {"terms": {"field": "publisher.name"}}}}\
              """);
      assertThat(answer.at("/hits/hits").findValuesAsString("_id"))
          .containsExactly("89", "88", "87");
      assertThat(answer.at("/hits/hits/0/fields/printed/0").asString()).isEqualTo("2020-01-06");
      assertThat(answer.at("/aggregations/pages/value").asInt()).isEqualTo(90 * 100 + 89 * 90 / 2);
      assertThat(answer.at("/aggregations/houses/buckets")).hasSize(4);
    }
  }

  private static void booksKeepTheirVersions(RestCalls rest) throws IOException {
    JsonNode updated = rest.get("/books/_doc/5").orThrow().json();
    assertThat(updated.path("_version").asInt()).isEqualTo(2);
    assertThat(updated.at("/_source/lent").asBoolean(true)).isFalse();
    assertThat(updated.at("/_source/title").asString()).isEqualTo("The Book 5 of Rings");
    assertThat(rest.get("/books/_doc/versioned").orThrow().json().path("_version").asInt())
        .isEqualTo(7);
    assertThat(rest.get("/books/_doc/95").status()).isEqualTo(404);
  }

  private static void booksKeepMappingAndAliases(RestCalls rest) throws IOException {
    JsonNode books = rest.get("/books").orThrow().json().path("books");
    assertThat(books.at("/mappings/_meta/made").asString()).isEqualTo("4d4b64f");
    assertThat(books.at("/mappings/properties/reviews/type").asString()).isEqualTo("nested");
    assertThat(books.at("/mappings/properties/author/normalizer").asString()).isEqualTo("lower");
    assertThat(books.at("/settings/index/codec").asString()).isEqualTo("zstd");
    assertThat(books.at("/aliases/library/is_write_index").asBoolean()).isTrue();
    assertThat(count(rest, "even", "_primary", "{\"match_all\":{}}")).isEqualTo(45);
    assertThat(
            rest.get("/_cluster/settings?flat_settings=true")
                .orThrow()
                .json()
                .path("persistent")
                .path("cluster.routing.search.lag.limit")
                .asString())
        .isEqualTo("45s");
  }

  private static void notesAreOnBothCopies(RestCalls rest) throws IOException {
    for (String copy : COPIES) {
      assertThat(count(rest, "notes", copy, "{\"match_all\":{}}")).as(copy).isEqualTo(49);
      assertThat(count(rest, "notes", copy, "{\"term\":{\"n\":1000}}")).isOne();
      assertThat(count(rest, "notes", copy, "{\"term\":{\"tags.keyword\":\"b2\"}}")).isEqualTo(12);
    }
    assertThat(rest.get("/notes/_doc/n0?routing=r0").orThrow().json().path("_version").asInt())
        .isEqualTo(2);
  }

  private static void otherIndicesAreThere(RestCalls rest) throws IOException {
    assertThat(rest.get("/derived/_doc/1").orThrow().json().path("_source").toString())
        .isEqualTo("{\"n\":1,\"k\":\"one\",\"when\":\"2024-01-01T00:00:00.000Z\"}");
    assertThat(rest.get("/closed/_search").text()).contains("index_closed_exception");
    rest.call("POST", "/closed/_open", "").orThrow();
    Awaitility.await()
        .atMost(WITHIN)
        .untilAsserted(() ->
            assertThat(rest.get("/closed/_doc/1").orThrow().json().at("/_source/n").asInt())
                .isOne());
  }

  private static void templatesApply(RestCalls rest) throws IOException {
    rest.call("PUT", "/logs-2/_doc/1", "{\"level\":\"info\"}").orThrow();
    assertThat(
            rest.get("/logs-2/_mapping")
                .orThrow()
                .json()
                .at("/logs-2/mappings/properties/level/type")
                .asString())
        .isEqualTo("keyword");
    rest.call("PUT", "/events-2/_doc/1", "{\"at\":\"2024-03-01T12:00:00Z\"}").orThrow();
    rest.call("POST", "/events/_refresh", "").orThrow();
    assertThat(count(rest, "events", "_primary", "{\"range\":{\"at\":{\"gte\":\"2024-02-29\"}}}"))
        .isEqualTo(2);
  }

  private static void newWritesGoOn(RestCalls rest) throws IOException {
    JsonNode written =
        rest.call("PUT", "/library/_doc/5?refresh=wait_for", "{\"title\":\"new\",\"lent\":true}")
            .orThrow()
            .json();
    assertThat(written.path("_version").asInt()).isEqualTo(3);
    assertThat(written.path("_primary_term").asInt()).isGreaterThan(1);
    for (String copy : COPIES) {
      assertThat(count(rest, "books", copy, "{\"match\":{\"title\":\"new\"}}")).as(copy).isOne();
    }
  }

  /** The leader, which is this cluster, now has a different port. */
  private static void theFollowerGoesOn(RestCalls rest, int port) throws IOException {
    rest.call(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"cluster.remote.self.seeds\":[\"127.0.0.1:" + port + "\"]}}")
        .orThrow();
    rest.call("PUT", "/notes/_doc/n50?routing=r2", "{\"n\":50}").orThrow();
    Awaitility.await()
        .atMost(WITHIN)
        .untilAsserted(() -> {
          rest.call("POST", "/copied/_refresh", "").orThrow();
          assertThat(count(rest, "copied", "_primary", "{\"match_all\":{}}")).isEqualTo(50);
        });
    JsonNode copied = rest.get("/copied/_doc/n50?routing=r2").orThrow().json();
    assertThat(copied.path("_seq_no").asInt())
        .isEqualTo(rest.get("/notes/_doc/n50?routing=r2").orThrow().json().path("_seq_no").asInt());
  }

  private static void theFeatureLevelCanBeRaised(RestCalls rest) throws IOException {
    assertThat(level(rest)).isOne();
    rest.call("POST", "/_cluster/feature_level", "").orThrow();
    assertThat(level(rest)).isGreaterThan(1);
    rest.call("PUT", "/books/_doc/last", "{\"title\":\"after the rise\"}").orThrow();
  }

  private static int level(RestCalls rest) throws IOException {
    return rest.get("/_cluster/feature_level").orThrow().json().path("feature_level").asInt();
  }

  private static int count(RestCalls rest, String index, String copy, String query)
      throws IOException {
    return rest.call(
            "POST", "/" + index + "/_count?preference=" + copy, "{\"query\":" + query + "}")
        .orThrow()
        .json()
        .path("count")
        .asInt(-1);
  }

  private static JsonNode search(RestCalls rest, String index, String copy, String body)
      throws IOException {
    return rest.call("POST", "/" + index + "/_search?preference=" + copy, body).orThrow().json();
  }

  private static void unzip(String resource, Path to) throws IOException {
    try (InputStream in = OldDataFolderTest.class.getResourceAsStream(resource);
        ZipInputStream zip = new ZipInputStream(Objects.requireNonNull(in, resource))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path path = to.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(path);
        } else {
          Files.createDirectories(path.getParent());
          Files.copy(zip, path);
        }
      }
    }
  }
}
