package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Corrupts files of an open copy: no corrupt data is served, and another copy takes over.
 *
 * <p>Almost all of a block is text of 64 characters with the same frequency, each encoded in 6
 * bits. A changed bit makes another character of it: the block can still be decoded, and only its
 * checksum differs.
 */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class DamagedCopyTest {

  private static final int DOCUMENTS = 500;
  private static final int TEXT_CHARACTERS = 4096;
  private static final String MAPPINGS =
      """
      {"properties":{"n":{"type":"integer"},
       "text":{"type":"keyword","index":false,"doc_values":false}}}\
      """;

  private ServicesInOneJvm cluster;

  @BeforeEach
  void take(ServicesInOneJvm shared) {
    cluster = shared;
  }

  @ParameterizedTest
  @CsvSource({"SEGMENT,r", "SEGMENT,p", "DOCUMENT,r", "DOCUMENT,p"})
  void nothingIsServedFromADamagedBlockAndItsCopyIsRebuiltFromAnother(
      String replication, String damaged) throws Exception {
    TestIndex index =
        index("damaged-" + replication.toLowerCase(Locale.ROOT) + "-" + damaged, replication);
    // A copy that was just read answers from memory, so read only the other copy before.
    SortedMap<String, String> contents =
        index.contents(damaged.equals("p") ? "_replica" : "_primary");
    assertThat(contents).hasSize(DOCUMENTS);
    String node = index.nodesOf(damaged).getFirst();
    String copyId = copyId(index, damaged);

    damageBlock(cluster.segmentFolder(node, index));

    String preference = damaged.equals("p") ? "_primary" : "_replica";
    Await.within(TestIndex.SOON)
        .until(() -> {
          assertServesRightOrNothing(index, preference, contents);
          return !copyId(index, damaged).equals(copyId) && !copyId(index, damaged).isEmpty();
        });
    index.awaitGreen();
    for (String kind : new String[] {"_primary", "_replica"}) {
      Await.within(TestIndex.SOON)
          .untilAsserted(() -> assertThat(index.contents(kind)).isEqualTo(contents));
    }
  }

  private TestIndex index(String name, String replication) throws Exception {
    TestIndex index =
        cluster.create(
            name,
            """
            {"number_of_replicas":1,"index.codec":"zstd","refresh_interval":"-1",
             "replication.type":"%s"}\
            """
                .formatted(replication),
            MAPPINGS);
    for (int from = 0; from < DOCUMENTS; from += 100) {
      assertThat(index.bulk(documents(from, from + 100)).path("errors").asBoolean()).isFalse();
      index.refresh();
    }
    // A segment that was merged from several of more than a megabyte is not a compound file.
    index.call("POST", "/_forcemerge?max_num_segments=1", "").orThrow();
    index.call("POST", "/_flush", "").orThrow();
    index.refresh();
    index.awaitCount("_replica", DOCUMENTS);
    Awaitility.await().atMost(TestIndex.SOON).until(() -> hasBlocks(index));
    return index;
  }

  private boolean hasBlocks(TestIndex index) throws IOException {
    for (String kind : new String[] {"p", "r"}) {
      for (String node : index.nodesOf(kind)) {
        if (cluster.segmentFiles(node, index).stream().noneMatch(n -> n.endsWith(".fdt"))) {
          return false;
        }
      }
    }
    return true;
  }

  private static String documents(int from, int to) {
    StringBuilder lines = new StringBuilder();
    for (int n = from; n < to; n++) {
      byte[] bytes = new byte[TEXT_CHARACTERS * 3 / 4];
      new Random(n).nextBytes(bytes);
      String text = Base64.getEncoder().encodeToString(bytes);
      lines.append("{\"index\":{\"_id\":\"d%d\"}}\n".formatted(n));
      lines.append("{\"n\":%d,\"text\":\"%s\"}\n".formatted(n, text));
    }
    return lines.toString();
  }

  /** Changes one bit of a block of the segment. */
  private static void damageBlock(Path folder) throws IOException {
    for (Path file : fdts(folder)) {
      try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
        long at = bytes.length() / 2;
        bytes.seek(at);
        int before = bytes.read();
        bytes.seek(at);
        bytes.write(before ^ 1);
      }
    }
  }

  private static Path[] fdts(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".fdt")).toArray(Path[]::new);
    }
  }

  /** A search may fail or be answered by another copy, but never returns wrong documents. */
  private static void assertServesRightOrNothing(
      TestIndex index, String preference, SortedMap<String, String> contents) throws IOException {
    RestCalls.Answer answer =
        index.call(
            "GET",
            "/_search?size=1000&version=true&seq_no_primary_term=true&preference=" + preference,
            "");
    if (answer.status() == 200) {
      Set<String> ids = new HashSet<>();
      for (JsonNode hit : answer.json().at("/hits/hits")) {
        String id = hit.path("_id").asString();
        assertThat(CopyContents.of(hit)).as(id).isEqualTo(contents.get(id));
        assertThat(ids.add(id)).as("%s is found once", id).isTrue();
      }
    }
  }

  /** The id of the primary or of the replica; empty while it is unassigned. */
  private static String copyId(TestIndex index, String kind) throws IOException {
    for (JsonNode copy : index.get("/_search_shards").at("/shards/0")) {
      if (copy.path("primary").asBoolean() == kind.equals("p")) {
        return copy.at("/allocation_id/id").asString("");
      }
    }
    return "";
  }
}
