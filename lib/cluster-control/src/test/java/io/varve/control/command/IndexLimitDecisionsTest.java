package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.NodeInfo;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Limits of the cluster that decide whether an index is created, opened or changed. */
class IndexLimitDecisionsTest extends DecisionsWorld {
  @Test
  void anIndexOfAnotherReplicationIsRefusedWhereTheClusterRestrictsIt() {
    accept(
        new ClusterCommand.UpdateClusterSettings(
            settings("cluster.index.restrict.replication.type", "true"), Map.of()));

    ErrorBody refused =
        refuse(
            ClusterCommand.CreateIndex.of(
                "books", settings("index.replication.type", "DOCUMENT"), "{}"));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.reason())
        .isEqualTo(
            "Validation Failed: 1: index setting [index.replication.type] is not allowed to be set"
                + " as [cluster.index.restrict.replication.type=true];");
    createBooks();
  }

  private void limitShardsPerNode(int most) {
    accept(
        new ClusterCommand.UpdateClusterSettings(
            settings("cluster.max_shards_per_node", Integer.toString(most)), Map.of()));
  }

  private static String overLimit(int added, int present, int limit) {
    return "Validation Failed: 1: this action would add ["
        + added
        + "] total shards, but this cluster currently has ["
        + present
        + "]/["
        + limit
        + "] maximum shards open;";
  }

  @Test
  void anIndexBeyondTheShardsThatNodesMayHaveIsRefused() {
    join("n1", Map.of());
    join("n2", Map.of());
    limitShardsPerNode(2);
    createBooks();

    ErrorBody refused =
        refuse(ClusterCommand.CreateIndex.of("more", settings("number_of_shards", "2"), "{}"));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.type()).isEqualTo("validation_exception");
    assertThat(refused.reason()).isEqualTo(overLimit(4, 2, 4));
    accept(ClusterCommand.CreateIndex.of("more", Map.of(), "{}"), "uuid-more");
    limitShardsPerNode(1);
    assertThat(state.indices()).hasSize(2);
  }

  @Test
  void replicasBeyondTheShardsThatNodesMayHaveAreRefused() {
    join("n1", Map.of());
    limitShardsPerNode(3);
    createBooks();

    assertThat(refuse(change("index.number_of_replicas", "3", false)).reason())
        .isEqualTo(overLimit(2, 2, 3));
    assertThat(refuse(change("index.number_of_search_replicas", "2", false)).reason())
        .isEqualTo(overLimit(2, 2, 3));
    accept(change("index.number_of_replicas", "2", false));
    limitShardsPerNode(1);
    accept(change("index.refresh_interval", "5s", false));
    accept(change("index.number_of_replicas", "1", false));
  }

  @Test
  void aClosedIndexIsOpenedOnlyWithinTheShardsThatNodesMayHave() {
    join("n1", Map.of());
    limitShardsPerNode(3);
    createBooks();
    accept(new ClusterCommand.CloseIndices(List.of("books")));
    accept(ClusterCommand.CreateIndex.of("more", Map.of(), "{}"), "uuid-more");

    assertThat(refuse(new ClusterCommand.OpenIndices(List.of("books"))).reason())
        .isEqualTo(overLimit(2, 2, 3));
    accept(new ClusterCommand.OpenIndices(List.of("more")));
    limitShardsPerNode(4);
    accept(new ClusterCommand.OpenIndices(List.of("books")));
  }

  @Test
  void aRemoteBackedIndexNeedsAStoreThatAllDataNodesShare() {
    Map<String, @Nullable String> remote = settings("index.remote_store.enabled", "true");
    assertThat(refuse(ClusterCommand.CreateIndex.of("books", remote, "{}")).reason())
        .contains("needs a segment store that all data nodes share");
    join("n1", Map.of(NodeInfo.STORE_ATTRIBUTE, "s"));
    accept(ClusterCommand.CreateIndex.of("books", settings("number_of_replicas", "0"), "{}"), "u1");
    assertThat(state.indices().get("books").settings())
        .containsEntry("index.remote_store.enabled", "true");
    Map<String, @Nullable String> document = settings("index.replication.type", "DOCUMENT");
    document.put("index.remote_store.enabled", "true");
    assertThat(refuse(ClusterCommand.CreateIndex.of("other", document, "{}")).reason())
        .isEqualTo(
            "To enable index.remote_store.enabled, index.replication.type should be set to"
                + " SEGMENT");
    join("n2", Map.of());
    assertThat(refuse(ClusterCommand.CreateIndex.of("other", remote, "{}")).status())
        .isEqualTo(400);
  }

  @Test
  void aCodecThatANodeLacksTheLibraryOfIsRefusedAndTheOthersAreNot() {
    accept(ClusterCommand.CreateIndex.of("old", settings("index.codec", "zstd"), "{}"), "u1");
    join("n1", Map.of(NodeInfo.WITHOUT_ZSTD_ATTRIBUTE, "no library"));

    ErrorBody refused =
        refuse(ClusterCommand.CreateIndex.of("books", settings("index.codec", "zstd"), "{}"));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.reason())
        .isEqualTo("index.codec can't be [zstd] while node [n1] is in the cluster: no library");
    createBooks();
    assertThat(refuse(change("index.codec", "zstd_no_dict", false)).status()).isEqualTo(400);
    accept(change("index.codec", "best_compression", false));
  }

  private void join(String node, Map<String, String> attributes) {
    state =
        state.apply(
            new ClusterEvent.NodeJoined(
                new NodeInfo(node, node, "i", Set.of(NodeInfo.PRIMARY), "http://x", attributes)));
  }
}
