package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ActiveShards;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.events.Json;
import io.varve.events.ShardId;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DecisionsTest extends DecisionsWorld {
  private static final ShardId SHARD = new ShardId("uuid-books", 0);

  private void assignPrimary() {
    state = state.apply(new ClusterEvent.PrimaryAssigned(SHARD, "copy", "node", 3));
  }

  private ClusterCommand newTerm(String copyId, String nodeId, long lastTerm) {
    return new ClusterCommand.NewTerm(
        new ClusterCalls.NewTerm(SHARD, copyId, nodeId, lastTerm, "test"));
  }

  @Test
  void aNewIndexHasAllThatIsResolvedInItsSettings() {
    createBooks();
    IndexMetadata books = state.indices().get("books");
    assertThat(books.settings())
        .isEqualTo(
            Map.of(
                "index.number_of_shards", "1",
                "index.number_of_replicas", "1",
                "index.replication.type", "SEGMENT",
                "index.uuid", "uuid-books",
                "index.creation_date", "1234",
                "index.provided_name", "books",
                "index.version.created", "137227827"));
    assertThat(books.createdMillis()).isEqualTo(1234);
    assertThat(books.mappingVersion()).isEqualTo(1);
    assertThat(books.shard(0).copies()).hasSize(2);
  }

  @Test
  void theShardsOfANewIndexAreKnownToHaveNeverStartedOnceAllProcessesCanReadThat() {
    createBooks();
    assertThat(state.indices().get("books").shard(0).neverStarted()).isFalse();

    state = ClusterState.EMPTY.apply(new ClusterEvent.FeatureLevelRaised(2));
    createBooks();
    assertThat(state.indices().get("books").shard(0).neverStarted()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "Books, number_of_shards, 1, invalid_index_name_exception",
    "books, number_of_shards, 1, resource_already_exists_exception",
    "others, number_of_shards, 0, illegal_argument_exception",
    "others, foo, 1, settings_exception",
  })
  void refusesToCreate(String name, String setting, String value, String type) {
    createBooks();
    assertThat(refuse(ClusterCommand.CreateIndex.of(name, settings(setting, value), "{}")).type())
        .isEqualTo(type);
  }

  @Test
  void refusesToCreateWithABadMapping() {
    assertThat(
            refuse(
                    ClusterCommand.CreateIndex.of(
                        "a", Map.of(), "{\"properties\":{\"f\":{\"type\":\"nonsense\"}}}"))
                .status())
        .isEqualTo(400);
    assertThat(state.indices()).isEmpty();
  }

  @Test
  void deletesAllOrNone() {
    createBooks();
    ErrorBody error = refuse(new ClusterCommand.DeleteIndices(List.of("books", "none")));
    assertThat(error.status()).isEqualTo(404);
    assertThat(error.fields()).containsEntry("resource.id", "none");
    assertThat(accept(new ClusterCommand.DeleteIndices(List.of("uuid-books", "books"))))
        .containsExactly(new ClusterEvent.IndexDeleted("uuid-books"));
  }

  @Test
  void aBlockForbidsChangesButItsOwnRemoval() {
    createBooks();
    accept(change("index.blocks.read_only", "true", false));
    assertThat(refuse(change("index.refresh_interval", "5s", false)).type())
        .isEqualTo("cluster_block_exception");
    assertThat(refuse(new ClusterCommand.PutMapping(List.of("books"), "{}")).status())
        .isEqualTo(403);
    assertThat(refuse(new ClusterCommand.DeleteIndices(List.of("books"))).status()).isEqualTo(403);
    accept(change("index.blocks.read_only", null, false));
    assertThat(state.indices().get("books").settings()).doesNotContainKey("index.blocks.read_only");
    accept(new ClusterCommand.DeleteIndices(List.of("books")));
  }

  @Test
  void aTypeThatWasDerivedUnderAnOlderMappingIsNoConflict() {
    createBooks();
    long older = state.indices().get("books").mappingVersion();
    accept(
        new ClusterCommand.PutMapping(
            List.of("books"), "{\"properties\":{\"n\":{\"type\":\"unsigned_long\"}}}"));
    long newer = state.indices().get("books").mappingVersion();

    assertThat(newer).isGreaterThan(older);
    assertThat(accept(derived(older))).isEmpty();
    assertThat(refuse(derived(newer)).reason())
        .isEqualTo("mapper [n] cannot be changed from type [unsigned_long] to [long]");
  }

  private static ClusterCommand derived(long knownMappingVersion) {
    return new ClusterCommand.NewFields(
        new ClusterCalls.NewFields(
            "uuid-books", knownMappingVersion, "{\"properties\":{\"n\":{\"type\":\"long\"}}}"));
  }

  @Test
  void aSettingThatDoesNotChangeIsNoEvent() {
    createBooks();
    assertThat(accept(change("index.number_of_replicas", "1", false))).isEmpty();
    assertThat(accept(change("index.number_of_replicas", "2", true))).isEmpty();
    assertThat(accept(change("index.number_of_replicas", "2", false))).hasSize(1);
    accept(change("index.number_of_replicas", null, false));
    assertThat(state.indices().get("books").numberOfReplicas()).isEqualTo(1);
  }

  @Test
  void givesATermOnce() {
    createBooks();
    assignPrimary();
    assertThat(accept(newTerm("copy", "node", 3)))
        .containsExactly(new ClusterEvent.PrimaryAssigned(SHARD, "copy", "node", 4));
    assertThat(accept(newTerm("copy", "node", 3))).as("asked twice").isEmpty();
    assertThat(accept(newTerm("other", "node", 4))).as("another copy").isEmpty();
    assertThat(accept(newTerm("copy", "other", 4))).as("another node").isEmpty();
  }

  @Test
  void lateReportsChangeNothing() {
    createBooks();
    assignPrimary();
    assertThat(accept(started(2))).isEmpty();
    assertThat(accept(started(3))).hasSize(1);
    assertThat(accept(started(3))).isEmpty();
    ClusterCommand failed =
        new ClusterCommand.CopyFailed(
            new ClusterCalls.CopyFailed(SHARD, "copy", "p1", "disk full"));
    assertThat(accept(failed))
        .containsExactly(
            new ClusterEvent.CopyUnassigned(SHARD, "copy", "ALLOCATION_FAILED: disk full"));
    assertThat(accept(failed)).isEmpty();
  }

  private static ClusterCommand started(long term) {
    return new ClusterCommand.CopyStarted(new ClusterCalls.CopyStarted(SHARD, "copy", "p1", term));
  }

  @Test
  void reportsOfAFormerProcessOfTheNodeAreIgnored() {
    createBooks();
    assignPrimary();
    NodeInfo node = new NodeInfo("node", "node", "p2", Set.of(NodeInfo.PRIMARY), "http://n");
    state = state.apply(new ClusterEvent.NodeJoined(node));

    assertThat(accept(started(3))).isEmpty();
    assertThat(
            accept(
                new ClusterCommand.CopyFailed(
                    new ClusterCalls.CopyFailed(SHARD, "copy", "p1", "disk full"))))
        .isEmpty();
    assertThat(
            accept(
                new ClusterCommand.CopyStarted(
                    new ClusterCalls.CopyStarted(SHARD, "copy", "p2", 3))))
        .hasSize(1);
  }

  @Test
  void clusterSettingsAreMergedAndRemovedByName() {
    accept(
        new ClusterCommand.UpdateClusterSettings(
            Map.of("cluster.remote.eu.seeds", "a:1", "search.max_buckets", "5"), Map.of()));
    accept(new ClusterCommand.UpdateClusterSettings(settings("cluster.remote.*", null), Map.of()));
    assertThat(state.persistentSettings()).isEqualTo(Map.of("search.max_buckets", "5"));
  }

  @Test
  void aStoredClusterSettingThatNoLongerExistsCanBeRemoved() {
    state =
        state.apply(
            new ClusterEvent.ClusterSettingsChanged(
                Map.of("indices.breaker.script.limit", "1%"), Map.of()));

    assertThat(
            refuse(
                    new ClusterCommand.UpdateClusterSettings(
                        settings("indices.breaker.script.limit", "2%"), Map.of()))
                .reason())
        .isEqualTo("persistent setting [indices.breaker.script.limit], not recognized");

    accept(
        new ClusterCommand.UpdateClusterSettings(
            settings("indices.breaker.script.limit", null), Map.of()));
    assertThat(state.persistentSettings()).isEmpty();
  }

  static Stream<ClusterCommand> commands() {
    return Stream.of(
        new ClusterCommand.CreateIndex(
            "a",
            settings("index.codec", null),
            "{}",
            new ClusterCommand.Follow("eu", "books", "uuid")),
        new ClusterCommand.DeleteIndices(List.of("a")),
        new ClusterCommand.PutMapping(List.of("a"), "{}"),
        new ClusterCommand.NewFields(new ClusterCalls.NewFields("uuid", 1, "{}")),
        new ClusterCommand.UpdateIndexSettings(List.of("a"), settings("b", null), true),
        new ClusterCommand.UpdateClusterSettings(settings("a", null), settings("b", "1")),
        new ClusterCommand.NewTerm(new ClusterCalls.NewTerm(SHARD, "c", "n", 1, "r")),
        started(1),
        new ClusterCommand.CopyFailed(new ClusterCalls.CopyFailed(SHARD, "c", "p1", "r")));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void commandsAreEqualAfterARoundTripThroughJson(ClusterCommand command) {
    assertThat(
            Json.read(
                Json.mapper().writerFor(ClusterCommand.class).writeValueAsBytes(command),
                ClusterCommand.class))
        .isEqualTo(command);
  }

  @ParameterizedTest
  @CsvSource({"all, -1", "0, 0", "3, 3"})
  void readsTheNumberOfActiveShards(String text, int copies) {
    assertThat(ActiveShards.parse(text).copies()).isEqualTo(copies);
  }
}
