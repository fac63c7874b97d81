package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A leader index and its follower, whose metadata tests change and synchronize. */
abstract class FollowerMetadataWorld {

  static final String TITLE = "{\"properties\":{\"title\":{\"type\":\"text\"}}}";

  final Decisions decisions =
      new Decisions(
          new IndexCreation(new NewIndex(() -> "id", () -> 0)),
          () -> "id",
          Map::of,
          new LeaseDecisions(() -> 0));
  ClusterState leaders = ClusterState.EMPTY;
  ClusterState own = ClusterState.EMPTY;

  static ClusterState with(ClusterState state, String name, @Nullable FollowRelation follow) {
    ShardRouting shard =
        new ShardRouting(
            new ShardId(name + "-uuid", 0),
            3,
            List.of(
                new CopyRouting(name + "-p", true, CopyRouting.State.STARTED, "n1", ""),
                new CopyRouting(name + "-r", false, CopyRouting.State.STARTED, "n2", ""),
                CopyRouting.unassignedForSearch(name + "-s", "INDEX_CREATED")));
    return state.apply(
        new ClusterEvent.IndexCreated(
            new IndexMetadata(
                name,
                name + "-uuid",
                0,
                Map.of("index.number_of_replicas", "0", "index.number_of_shards", "1"),
                1,
                "{}",
                1,
                follow,
                List.of(shard))));
  }

  void follow() {
    leaders = with(leaders, "books", null);
    own = with(own, "copy", new FollowRelation("eu", "books", "books-uuid", "n1", 3));
    for (String id : List.of("n1", "n2", "n3")) {
      own = own.apply(new ClusterEvent.NodeJoined(node(id)));
    }
    for (String id : List.of("copy-p", "copy-r")) {
      own = own.apply(new ClusterEvent.CopyStarted(new ShardId("copy-uuid", 0), id, 3));
    }
  }

  void atLeader(String... settings) {
    Map<String, @Nullable String> changes = new TreeMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      changes.put(settings[i], settings[i + 1]);
    }
    leaders = leaders.apply(new ClusterEvent.IndexSettingsChanged("books-uuid", 2, changes));
  }

  void aliasAtLeader(String name, @Nullable AliasMetadata alias) {
    Map<String, @Nullable AliasMetadata> changes = new TreeMap<>();
    changes.put(name, alias);
    leaders =
        leaders.apply(new ClusterEvent.AliasesChanged(Map.of("books-uuid", changes), List.of()));
  }

  List<ClusterEvent> synchronize() {
    List<ClusterEvent> events =
        FollowerMetadata.updates(own, "eu", leaders).stream()
            .flatMap(
                update -> ((Decision.Events) decisions.decide(own, update, "")).events().stream())
            .toList();
    events.forEach(event -> own = own.apply(event));
    assertThat(FollowerMetadata.updates(own, "eu", leaders)).as("left to do").isEmpty();
    return events;
  }

  /** The version of the leader's mapping at the start is taken first. */
  List<ClusterEvent> synchronizeAgain() {
    var _ = synchronize();
    return synchronize();
  }

  /** Reopens all copies, each of which starts. */
  void reopenCopies() {
    while (!copy().follow().currentStatus().copiesToReopen().isEmpty()) {
      List<ClusterCommand.ReopenCopy> due = FollowerReopening.due(own);
      assertThat(due).isNotEmpty();
      ((Decision.Events) decisions.decide(own, due.getFirst(), ""))
          .events()
          .forEach(event -> own = own.apply(event));
      for (CopyRouting copy : copy().shard(0).copies()) {
        own =
            own.apply(
                new ClusterEvent.CopyStarted(
                    copy().shard(0).shard(), copy.copyId(), copy().shard(0).primaryTerm()));
      }
    }
  }

  private static NodeInfo node(String id) {
    return new NodeInfo(id, id, "i", Set.of(NodeInfo.PRIMARY), "http://" + id, Map.of());
  }

  void mappingAtLeader(long version, String mapping) {
    leaders = leaders.apply(new ClusterEvent.MappingChanged("books-uuid", version, mapping));
  }

  IndexMetadata copy() {
    return own.indices().get("copy");
  }
}
