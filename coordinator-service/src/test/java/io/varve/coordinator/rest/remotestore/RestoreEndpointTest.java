package io.varve.coordinator.rest.remotestore;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import io.varve.rpc.StoredIndex;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RestoreEndpointTest {

  private final RestHarness rest = new RestHarness();

  @AfterEach
  void close() throws Exception {
    rest.close();
  }

  private void store(int shards) {
    store("gone", shards, null);
  }

  private void store(String name, int shards, FollowRelation follow) {
    ShardId shard = new ShardId(name + "-uuid", 0);
    List<ShardRouting> routing =
        List.of(new ShardRouting(shard, 4, List.of(CopyRouting.unassigned("c", true, "x"))));
    IndexMetadata metadata =
        new IndexMetadata(name, shard.indexUuid(), 1, Map.of(), 1, "{}", 1, follow, routing);
    Manifest manifest =
        new Manifest(shard, "n", 4, 9, 70, 60, 4, 59, List.of(), "", Map.of(), 1234);
    rest.store.stored.add(
        new StoredIndex(
            name,
            shard.indexUuid(),
            1234,
            Json.mapper().valueToTree(metadata),
            shards == 0 ? List.of() : List.of(new StoredManifest(shard, 4, manifest, Map.of()))));
  }

  @Test
  void anIndexThatFollowedAnotherClusterIsPassedOverByPatternsAndRefusedByName() throws Exception {
    store(1);
    store("follower", 1, new FollowRelation("eu", "books", "books-uuid", "node", 3));

    var all = rest.call("POST /_remotestore/_restore", "{\"indices\":[\"*\"]}");
    var named = rest.call("POST /_remotestore/_restore", "{\"indices\":[\"gone\",\"follower\"]}");

    assertThat(all.getStatus()).isEqualTo(200);
    assertThat(named.getStatus()).isEqualTo(400);
    assertThat(named.getContentAsString())
        .contains("cannot restore index [follower] because it followed an index of another");
    assertThat(rest.cluster.commands())
        .filteredOn(ClusterCommand.RestoreIndex.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            ClusterCommand.RestoreIndex.class,
            command -> assertThat(command.index().name()).isEqualTo("gone"));
  }

  @Test
  void whatIsStoredIsHandedToTheLeader() throws Exception {
    store(1);

    assertThat(
            rest.call("POST /_remotestore/_restore", "{\"indices\":\"g*\"}").getContentAsString())
        .isEqualTo("{\"accepted\":true}");
    assertThat(rest.cluster.commands().getLast())
        .isInstanceOfSatisfying(
            ClusterCommand.RestoreIndex.class,
            command -> {
              assertThat(command.index().name()).isEqualTo("gone");
              assertThat(command.shards()).hasSize(1);
            });
  }

  @Test
  void anIndexOfWhichAShardIsMissingIsRefused() throws Exception {
    store(0);

    var answer = rest.call("POST /_remotestore/_restore", "{\"indices\":[\"gone\"]}");

    assertThat(answer.getStatus()).isEqualTo(400);
    assertThat(answer.getContentAsString()).contains("has 0 of the 1 shards of [gone]");
  }

  @Test
  void anIndexThatIsThereIsRefusedWhenAllItsShardsAreAskedForAndElseLeftAlone() throws Exception {
    store(1);
    rest.cluster.index("gone", 1);
    String body = "{\"indices\":[\"gone\"]}";

    var all = rest.call("POST /_remotestore/_restore?restore_all_shards=true", body);
    var missing = rest.call("POST /_remotestore/_restore", body);

    assertThat(all.getStatus()).isEqualTo(400);
    assertThat(all.getContentAsString()).contains("cannot restore index [gone]");
    assertThat(missing.getStatus()).isEqualTo(200);
    assertThat(rest.cluster.commands()).noneMatch(ClusterCommand.RestoreIndex.class::isInstance);
  }

  @Test
  void aNameThatIsNotStoredIsNotFound() {
    assertThat(rest.call("POST /_remotestore/_restore", "{\"indices\":[\"x\"]}").getStatus())
        .isEqualTo(404);
  }
}
