package io.varve.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ActiveShards;
import io.varve.cluster.AliasMetadata;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.cluster.Topics;
import io.varve.control.FaultDetection;
import io.varve.control.MemberChecks;
import io.varve.control.command.AliasChange;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.CoordinatorService;
import io.varve.events.FeatureLevels;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBody;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Real coordinators on a real broker. Nodes that hold copies are simulated by heartbeats only,
 * because coordinators know nothing else of a node.
 */
@Tag("system")
@Tag("broker")
class CoordinatorNodeTest extends CoordinatorCluster {
  private static ErrorBody refusal(CoordinatorNode node, ClusterCommand command) {
    try {
      node.execute(command, TIMEOUT_MILLIS);
    } catch (ApiException e) {
      return e.error();
    }
    throw new AssertionError("not refused: " + command);
  }

  private static IndexMetadata index(CoordinatorNode node, String name) {
    IndexMetadata index = node.state().indices().get(name);
    assertThat(index).as(name).isNotNull();
    return index;
  }

  /** Simulates the nodes: every initializing copy reports that it serves. */
  private static void startCopies(CoordinatorNode node, String index) {
    for (ShardRouting shard : index(node, index).shards()) {
      for (CopyRouting copy : shard.copies()) {
        if (copy.state() == CopyRouting.State.INITIALIZING) {
          node.execute(
              new ClusterCommand.CopyStarted(
                  new ClusterCalls.CopyStarted(
                      shard.shard(),
                      copy.copyId(),
                      node.state().nodes().get(copy.nodeId()).incarnation(),
                      shard.primaryTerm(),
                      null,
                      null,
                      node.state().version())),
              TIMEOUT_MILLIS);
        }
      }
    }
  }

  @Test
  void anIndexLivesFromItsCreationToItsDeletion() throws Exception {
    CoordinatorNode node = node(startCoordinator("one"));
    startNode("shard", NodeInfo.PRIMARY);
    startNode("replica", NodeInfo.REPLICA);
    await().until(() -> node.state().nodes().size() == 3);

    node.execute(create("books", "number_of_shards", "2"), TIMEOUT_MILLIS);
    IndexMetadata books = index(node, "books");
    assertThat(books.uuid()).hasSize(22);
    assertThat(books.settings())
        .containsEntry("index.number_of_shards", "2")
        .containsEntry("index.number_of_replicas", "1")
        .containsEntry("index.replication.type", "SEGMENT")
        .containsEntry("index.provided_name", "books")
        .containsEntry("index.uuid", books.uuid())
        .containsKeys("index.creation_date", "index.version.created");
    assertThat(books.shards())
        .allSatisfy(shard -> {
          assertThat(shard.primaryTerm()).isEqualTo(1);
          assertThat(shard.copies())
              .extracting(CopyRouting::state)
              .containsOnly(CopyRouting.State.INITIALIZING);
        });
    Topics topics = new Topics(clusterName, 1);
    assertThat(log.topicId(topics.operations(books.uuid()))).isNotEmpty();
    assertThat(log.topicId(topics.manifests(books.uuid()))).isNotEmpty();

    startCopies(node, "books");
    await().until(() -> ActiveShards.parse("all").enough(node.state(), index(node, "books")));

    assertThat(refusal(node, create("books")))
        .satisfies(error -> {
          assertThat(error.type()).isEqualTo("resource_already_exists_exception");
          assertThat(error.fields())
              .containsEntry("index", "books")
              .containsEntry("index_uuid", books.uuid());
        });

    node.execute(new ClusterCommand.DeleteIndices(List.of("books")), TIMEOUT_MILLIS);
    assertThat(node.state().indices()).isEmpty();
    assertThat(refusal(node, new ClusterCommand.DeleteIndices(List.of("books"))).type())
        .isEqualTo("index_not_found_exception");
  }

  @Test
  void severalIndicesChangeAtOneMoment() throws Exception {
    CoordinatorNode node = node(startCoordinator("one"));
    await().until(() -> node.state().nodes().size() == 1);
    node.execute(create("books"), TIMEOUT_MILLIS);
    long before = node.execute(create("letters"), TIMEOUT_MILLIS);

    long closed =
        node.execute(new ClusterCommand.CloseIndices(List.of("books", "letters")), TIMEOUT_MILLIS);

    assertThat(closed).as("one record of the cluster log").isEqualTo(before + 1);
    assertThat(node.state().indices().values()).hasSize(2).allMatch(IndexMetadata::closed);
  }

  @Test
  void mappingsAndSettingsChangeWhileAnIndexIsOpen() throws Exception {
    CoordinatorNode node = node(startCoordinator("one"));
    node.execute(create("books"), TIMEOUT_MILLIS);
    String mapping = "{\"properties\":{\"title\":{\"type\":\"text\"}}}";
    node.execute(new ClusterCommand.PutMapping(List.of("books"), mapping), TIMEOUT_MILLIS);
    assertThat(index(node, "books").mapping()).contains("\"title\"");
    assertThat(index(node, "books").mappingVersion()).isEqualTo(2);

    long version =
        node.execute(new ClusterCommand.PutMapping(List.of("books"), mapping), TIMEOUT_MILLIS);
    assertThat(index(node, "books").mappingVersion()).isEqualTo(2);
    assertThat(version).isLessThanOrEqualTo(node.state().version());
    assertThat(
            refusal(
                    node,
                    new ClusterCommand.PutMapping(
                        List.of("books"), "{\"properties\":{\"title\":{\"type\":\"long\"}}}"))
                .reason())
        .contains("cannot be changed from type [text] to [long]");

    node.execute(
        new ClusterCommand.NewFields(
            new ClusterCalls.NewFields(
                index(node, "books").uuid(), 2, "{\"properties\":{\"year\":{\"type\":\"long\"}}}")),
        TIMEOUT_MILLIS);
    assertThat(index(node, "books").mapping()).contains("\"title\"", "\"year\"");

    node.execute(
        new ClusterCommand.UpdateIndexSettings(
            List.of("books"),
            settings("number_of_replicas", "2", "index.refresh_interval", "-1"),
            false),
        TIMEOUT_MILLIS);
    assertThat(index(node, "books").shard(0).replicas()).hasSize(2);
    assertThat(index(node, "books").settings()).containsEntry("index.refresh_interval", "-1");
    assertThat(
            refusal(
                    node,
                    new ClusterCommand.UpdateIndexSettings(
                        List.of("books"), settings("index.number_of_shards", "3"), false))
                .reason())
        .startsWith(
            "Can't update non dynamic settings [[index.number_of_shards]] for open indices"
                + " [[books/");

    node.execute(
        new ClusterCommand.UpdateClusterSettings(
            settings("cluster.indices.replication.strategy", "DOCUMENT"), Map.of()),
        TIMEOUT_MILLIS);
    node.execute(create("letters"), TIMEOUT_MILLIS);
    assertThat(index(node, "letters").replicationType()).isEqualTo("DOCUMENT");
  }

  /** Repeats the command, because a change of leaders may leave its outcome unknown. */
  private static void createThoughLeadersChange(CoordinatorNode node, String index) {
    await()
        .atMost(Duration.ofMillis(PATIENCE_MILLIS))
        .ignoreExceptionsInstanceOf(ApiException.class)
        .until(() -> {
          if (!node.state().indices().containsKey(index)) {
            node.execute(create(index), TIMEOUT_MILLIS);
          }
          return node.state().indices().containsKey(index);
        });
  }

  /** A pause of the leader makes the other coordinator lead early, with the same outcome. */
  @Test
  void anotherCoordinatorLeadsWhenTheLeaderEnds() throws Exception {
    ConfigurableApplicationContext first = startCoordinator("first");
    await().until(() -> node(first).isLeading());
    long term = node(first).state().leaderTerm();
    assertThat(term).isPositive();
    ConfigurableApplicationContext second = startCoordinator("second", 5_000);
    CoordinatorNode survivor = node(second);
    await().until(() -> survivor.state().nodes().size() == 2);
    createThoughLeadersChange(survivor, "before");

    first.close();
    createThoughLeadersChange(survivor, "after");
    assertThat(survivor.isLeading()).isTrue();
    assertThat(survivor.state().leaderTerm()).isGreaterThan(term);
    assertThat(survivor.state().indices()).containsOnlyKeys("after", "before");
    await().until(() -> survivor.state().nodes().size() == 1);

    CoordinatorNode again = node(startCoordinator("first"));
    again.execute(create("later"), TIMEOUT_MILLIS);
    assertThat(survivor.view().awaitVersion(again.state().version(), Duration.ofMinutes(1)))
        .isTrue();
    assertThat(survivor.state().indices()).containsOnlyKeys("after", "before", "later");
  }

  @Test
  void aNewProcessOfANodeGetsNewTerms() throws Exception {
    CoordinatorNode node = node(startCoordinator("one"));
    Beating shard = startNode("shard", NodeInfo.PRIMARY);
    await().until(() -> node.state().nodes().size() == 2);
    node.execute(create("books", "number_of_replicas", "0"), TIMEOUT_MILLIS);
    startCopies(node, "books");
    CopyRouting before = index(node, "books").shard(0).primary();

    shard.close();
    startNode("shard", NodeInfo.PRIMARY);
    await().until(() -> index(node, "books").shard(0).primaryTerm() == 2);
    CopyRouting after = index(node, "books").shard(0).primary();
    assertThat(after.copyId()).isEqualTo(before.copyId());
    assertThat(after.nodeId()).isEqualTo(before.nodeId());
    assertThat(after.state()).isEqualTo(CopyRouting.State.INITIALIZING);
  }

  @Test
  void aCopyIsBuiltElsewhereWhenItsNodeStaysAway() throws Exception {
    CoordinatorNode node = node(startCoordinator("one"));
    Beating shard = startNode("shard-1", NodeInfo.PRIMARY);
    await().until(() -> node.state().nodes().size() == 2);
    node.execute(
        create(
            "books",
            "number_of_replicas",
            "0",
            "index.unassigned.node_left.delayed_timeout",
            "300ms"),
        TIMEOUT_MILLIS);
    startCopies(node, "books");
    String other = startNode("shard-2", NodeInfo.PRIMARY).identity.nodeId();
    shard.close();
    // It leaves as after its timeout, because the cluster admits no process with such levels.
    startNode("shard-1", NodeInfo.PRIMARY, FeatureLevels.UNSAID);
    await().until(() -> index(node, "books").shard(0).primary().isOn(other));
    assertThat(index(node, "books").shard(0).primaryTerm()).isEqualTo(2);
  }

  @Test
  void answersNodesOverHttp() throws Exception {
    ConfigurableApplicationContext leading = startCoordinator("first");
    await().until(() -> node(leading).isLeading());
    ConfigurableApplicationContext following = startCoordinator("second");
    await().until(() -> node(following).state().nodes().size() == 2);
    startNode("shard", NodeInfo.PRIMARY);
    await().until(() -> node(leading).state().nodes().size() == 3);
    // Through the coordinator that does not lead.
    node(following).execute(create("books", "number_of_replicas", "0"), TIMEOUT_MILLIS);
    assertThat(node(following).isLeading()).isFalse();
    await().until(() -> node(leading).state().indices().containsKey("books"));
    ShardRouting shard = index(node(leading), "books").shard(0);
    String body =
        "{\"shard\":{\"index_uuid\":\"%s\",\"number\":0},\"copy_id\":\"%s\",\"term\":1}"
            .formatted(shard.shard().indexUuid(), shard.primary().copyId());

    HttpResponse<String> misdirected =
        post(url(following) + "/_internal/cluster/copies/started", body);
    assertThat(misdirected.statusCode()).isEqualTo(421);
    assertThat(misdirected.body()).contains("\"leader_url\":\"" + url(leading) + "\"");
    HttpResponse<String> applied = post(url(leading) + "/_internal/cluster/copies/started", body);
    assertThat(applied.statusCode()).isEqualTo(200);
    assertThat(applied.body()).matches("\\{\"version\":\\d+}");

    HttpResponse<String> malformed = post(url(leading) + "/_internal/cluster/terms", "{");
    assertThat(malformed.statusCode()).isEqualTo(400);
    assertThat(get(url(leading) + "/_internal/cluster/state").body())
        .contains("\"cluster_name\":\"" + clusterName + "\"", "\"books\"");
    assertThat(get(url(leading) + "/_internal/cluster/export/books").body())
        .contains("\"ops_topic\"", "\"ops_topic_id\"")
        .contains("\"kafka_bootstrap_servers\":\"" + BROKERS_FOR_FOLLOWERS + "\"");
    assertThat(get(url(leading) + "/_internal/cluster/export").body())
        .contains(
            "\"kafka_bootstrap_servers\"",
            "\"indices\":{\"books\":\"" + shard.shard().indexUuid() + "\"}");
    assertThat(get(url(leading) + "/_internal/cluster/export/none").statusCode()).isEqualTo(404);
    node(leading)
        .execute(
            new ClusterCommand.UpdateAliases(
                List.of(
                    new AliasChange(
                        AliasChange.Kind.ADD,
                        List.of("books"),
                        List.of("library"),
                        AliasMetadata.PLAIN,
                        null))),
            TIMEOUT_MILLIS);
    HttpResponse<String> alias = get(url(leading) + "/_internal/cluster/export/library");
    assertThat(alias.statusCode()).isEqualTo(400);
    assertThat(alias.body()).contains("cannot follow [library], because it is a ALIAS");
    assertThat(get(url(leading) + "/_internal/node").body()).contains("\"name\":\"first\"");
  }

  @Test
  void withoutTheLogCommandsEndInTimeWith503() {
    ConfigurableApplicationContext context =
        CoordinatorService.start(
            "--varve.cluster-name=" + clusterName,
            "--varve.data=" + data,
            "--varve.kafka.bootstrap-servers=127.0.0.1:1",
            "--server.port=0");
    running.push(context);
    CompletableFuture<Void> command =
        CompletableFuture.runAsync(() -> node(context).execute(create("books"), 500));
    assertThat(command)
        .failsWithin(Duration.ofMinutes(1))
        .withThrowableThat()
        .havingCause()
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().status()).isEqualTo(503);
              assertThat(e.error().type()).isEqualTo("cluster_manager_not_discovered_exception");
            });
  }

  @Test
  void aNodeThatAnotherCoordinatorReportsStaysWhileItBeatsAndThenLeavesByTwoSigns()
      throws Exception {
    ConfigurableApplicationContext leading = startCoordinator("first", NEVER_MILLIS, 1_000);
    await().until(() -> node(leading).isLeading());
    ConfigurableApplicationContext following = startCoordinator("second", NEVER_MILLIS, 1_000);
    Beating shard = startNode("shard", NodeInfo.PRIMARY);
    String nodeId = shard.identity.nodeId();
    await().until(() -> node(following).state().nodes().containsKey(nodeId));
    await().until(() -> node(following).state().nodes().size() == 3);

    node(following).disconnected(REFUSING_URL + "/_internal/node");
    MemberChecks checks = node(leading).checks();
    await().until(() -> checks.suspicions(FaultDetection.Cause.DISCONNECTED) == 1);
    String report =
        "{\"node_id\":\"%s\",\"incarnation\":\"%s\"}"
            .formatted(nodeId, shard.identity.incarnation());
    assertThat(post(url(following) + DisconnectReports.PATH, report).statusCode()).isEqualTo(421);
    assertThat(post(url(leading) + DisconnectReports.PATH, report).statusCode()).isEqualTo(200);

    shard.close();
    await().until(() -> !node(following).state().nodes().containsKey(nodeId));
    assertThat(checks.refusedRemovals()).isPositive();
    assertThat(node(leading).state().nodes()).as("coordinators accept connections").hasSize(2);
  }
}
