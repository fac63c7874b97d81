package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.NodeInfo;
import io.varve.process.Ticker;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.primary.WritePressure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyHostTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path folder;
  private NodeWorld world;
  private NodeContext node;
  private CopyHost host;

  @BeforeEach
  void makeWorld() throws Exception {
    world = new NodeWorld(folder);
    node = world.node("n1");
    WritePressure pressure = new WritePressure(1 << 20);
    host =
        new CopyHost(
            node,
            (context, _, term) -> new PrimaryCopy(context, term, pressure, null),
            new ProgressPublisher(node.log(), node.topics(), node.timer(), Ticker.SYSTEM));
    world.createIndex(
        Map.of("index.refresh_interval", "-1"),
        "{\"properties\":{\"title\":{\"type\":\"keyword\"}}}");
  }

  @AfterEach
  void endWorld() {
    host.close();
    world.close();
  }

  private void join() {
    world.happened(
        new ClusterEvent.NodeJoined(
            new NodeInfo(
                node.identity().nodeId(),
                "n1",
                node.identity().incarnation(),
                Set.of(NodeInfo.PRIMARY),
                "http://127.0.0.1:1")));
  }

  private void assign(long term) {
    world.happened(
        new ClusterEvent.PrimaryAssigned(
            NodeWorld.SHARD, "copy-1", node.identity().nodeId(), term));
  }

  private PrimaryCopy awaitStarted(long term) {
    await()
        .atMost(LONG)
        .until(() ->
            node.cluster()
                .current()
                .shard(NodeWorld.SHARD)
                .filter(shard -> shard.primaryTerm() == term && shard.primary().started())
                .isPresent());
    return (PrimaryCopy) host.copy(NodeWorld.SHARD).orElseThrow();
  }

  private static WriteResult write(PrimaryCopy copy, String id) throws Exception {
    byte[] body = "{\"title\":\"t\"}".getBytes(StandardCharsets.UTF_8);
    return copy.write(copy.term(), List.of(WriteItem.index(id, body)), LONG).getFirst();
  }

  @Test
  void opensAnAssignedPrimaryAndReportsIt() throws Exception {
    join();
    host.start();
    assign(1);

    assertThat(write(awaitStarted(1), "a")).isInstanceOf(WriteResult.Done.class);
    assertThat(Set.copyOf(world.leader.started)).as("said once or again").hasSize(1);
  }

  @Test
  void waitingForACopyEndsWhenItHasOpenedItsFolder() throws Exception {
    join();
    host.start();
    assertThat(host.await(NodeWorld.SHARD, 1)).isEmpty();
    try (ExecutorService asking = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Optional<ShardCopy>> waiting =
          asking.submit(() -> host.await(NodeWorld.SHARD, LONG.toMillis()));
      assign(1);

      assertThat(waiting.get().orElseThrow().snapshots()).isPresent();
    }
  }

  @Test
  void doesNothingBeforeTheClusterKnowsThisProcess() {
    assign(1);
    host.start();

    assertThat(host.copies()).isEmpty();
    assertThat(Files.exists(folder.resolve("n1/shards"))).isFalse();
  }

  @Test
  void requestsANewTermIfAFormerProcessMayHaveUsedTheOldOne() {
    assign(1);
    join();
    host.start();

    assertThat(awaitStarted(2).term()).isEqualTo(2);
    assertThat(Set.copyOf(world.leader.newTerms)).as("said once or again").hasSize(1);
  }

  @Test
  void continuesUnderAHigherTermAfterTheGateClosed() throws Exception {
    join();
    host.start();
    assign(1);
    PrimaryCopy first = awaitStarted(1);
    write(first, "a");
    world.appends.ofOperations = AppendFaults.Fate.LOST;
    assertThat(write(first, "b")).isInstanceOf(WriteResult.Failed.class);
    world.appends.ofOperations = AppendFaults.Fate.ACCEPTED;

    PrimaryCopy second = awaitStarted(2);

    assertThat(write(second, "c")).isEqualTo(new WriteResult.Done("created", 1, 2, 1));
    assertThat(second.searchable().orElseThrow().get("a", true).found()).isTrue();
    assertThat(second.searchable().orElseThrow().get("b", true).found()).isFalse();
  }

  @Test
  void deletesTheFolderWhenTheIndexIsDeleted() {
    join();
    host.start();
    assign(1);
    awaitStarted(1);
    Path shard = folder.resolve("n1/shards").resolve(NodeWorld.INDEX_UUID).resolve("0");
    assertThat(shard).exists();

    world.happened(new ClusterEvent.IndexDeleted(NodeWorld.INDEX_UUID));

    await().atMost(LONG).until(() -> !Files.exists(shard));
    assertThat(host.copies()).isEmpty();
  }

  @Test
  void keepsTheFolderUntilAllCopiesServeElsewhere() {
    join();
    host.start();
    assign(1);
    awaitStarted(1);
    world.happened(
        new ClusterEvent.NodeJoined(
            new NodeInfo("n2", "n2", "i", Set.of(NodeInfo.PRIMARY), "http://127.0.0.1:2")));
    Path home = Folders.of(node.settings().data(), NodeWorld.SHARD);

    world.happened(new ClusterEvent.CopyUnassigned(NodeWorld.SHARD, "copy-1", "moved"));
    world.happened(new ClusterEvent.PrimaryAssigned(NodeWorld.SHARD, "copy-2", "n2", 2));
    await().atMost(LONG).until(() -> host.copies().isEmpty());
    assertThat(home.resolve("index")).as("the other copy is not started").isNotEmptyDirectory();

    world.happened(new ClusterEvent.CopyStarted(NodeWorld.SHARD, "copy-2", 2));
    await().atMost(LONG).until(() -> !Files.exists(home));
  }

  @Test
  void deletesTheFoldersOfAnIndexThatWasDeletedWhileTheNodeWasAway() {
    join();
    host.start();
    assign(1);
    awaitStarted(1);
    host.close();
    Path home = Folders.of(node.settings().data(), NodeWorld.SHARD);
    world.happened(new ClusterEvent.IndexDeleted(NodeWorld.INDEX_UUID));
    assertThat(home.resolve("index")).isNotEmptyDirectory();

    host =
        new CopyHost(
            node,
            (context, _, term) -> new PrimaryCopy(context, term, new WritePressure(1 << 20), null),
            new ProgressPublisher(node.log(), node.topics(), node.timer(), Ticker.SYSTEM));
    host.start();

    await().atMost(LONG).until(() -> !Files.exists(home));
  }

  @Test
  void keepsTheFolderWhenTheNodeEnds() {
    join();
    host.start();
    assign(1);
    awaitStarted(1);

    host.close();

    assertThat(folder.resolve("n1/shards").resolve(NodeWorld.INDEX_UUID).resolve("0/index"))
        .isNotEmptyDirectory();
  }

  @Test
  void deletesWhatIsLeftOfAnIndexThatWentAwayMeanwhile() throws Exception {
    Path orphan = Files.createDirectories(folder.resolve("n1/shards/uuid-long-gone/3/index"));
    join();
    host.start();

    await().atMost(LONG).until(() -> !Files.exists(orphan));
  }

  @Test
  void aClosedIndexLetsGoOfItsCopyAndKeepsItsFolderUntilItIsOpenedAgain() throws Exception {
    join();
    host.start();
    assign(1);
    write(awaitStarted(1), "a");
    Path home = Folders.of(node.settings().data(), NodeWorld.SHARD);

    world.happened(new ClusterEvent.IndexClosed(NodeWorld.SHARD.indexUuid()));
    await().atMost(LONG).until(() -> host.copies().isEmpty());
    assertThat(home).isDirectoryContaining(path -> Files.exists(path));

    world.happened(new ClusterEvent.IndexOpened(NodeWorld.SHARD.indexUuid()));
    assertThat(write(awaitStarted(2), "a"))
        .isInstanceOfSatisfying(
            WriteResult.Done.class, done -> assertThat(done.version()).isEqualTo(2));
  }

  @Test
  void damageThatIsReadWhenNothingIsHostedAnyMoreMarksTheFolder() {
    join();
    host.start();
    assign(1);
    PrimaryCopy copy = awaitStarted(1);
    Path home = Folders.of(node.settings().data(), NodeWorld.SHARD);
    world.happened(new ClusterEvent.IndexClosed(NodeWorld.SHARD.indexUuid()));
    await().atMost(LONG).until(() -> host.copies().isEmpty());

    host.damaged(copy, "a block");

    assertThat(home.resolve("index/suspect")).exists();
  }

  @Test
  void theFolderOfAClosedIndexGoesWithIt() throws Exception {
    join();
    host.start();
    assign(1);
    awaitStarted(1);
    Path home = Folders.of(node.settings().data(), NodeWorld.SHARD);
    world.happened(new ClusterEvent.IndexClosed(NodeWorld.SHARD.indexUuid()));
    await().atMost(LONG).until(() -> host.copies().isEmpty());

    world.happened(new ClusterEvent.IndexDeleted(NodeWorld.SHARD.indexUuid()));
    await().atMost(LONG).until(() -> !Files.exists(home));
  }
}
