package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.engine.EngineConfig;
import io.varve.engine.ShardEngine;
import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RecordHeader;
import io.varve.events.SegmentFile;
import io.varve.host.CopyContext;
import io.varve.host.FailingMapping;
import io.varve.host.NodeWorld;
import io.varve.host.RecoveryProgress;
import io.varve.log.OffsetWatcher;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An Error ends a replica as an exception does: it never stays started while nothing is applied or
 * copied any more.
 */
class ReplicaErrorsTest {

  @TempDir Path folder;
  private final List<String> broken = new CopyOnWriteArrayList<>();
  private NodeWorld world;

  @BeforeEach
  void open() throws Exception {
    world = new NodeWorld(folder);
    world.createIndex(Map.of(), "{}");
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aDocumentReplicaThatCouldNotApplyIsBroken() {
    FailingMapping mapping = new FailingMapping();
    TestClusterLog.append(world.operations(), RecordHeader.fence(1, "n1"));
    byte[] source = "{\"title\":\"t\"}".getBytes(StandardCharsets.UTF_8);
    try (ShardEngine engine =
        ShardEngine.open(
            new EngineConfig(NodeWorld.SHARD, folder.resolve("index"), 1, Map.of()), mapping)) {
      mapping.failOnce();
      DocumentApplier applier =
          new DocumentApplier(
              world.copy("n1"),
              world.operations(),
              engine,
              failure -> broken.add(failure.toString()));
      TestClusterLog.append(
          world.operations(),
          OperationCodec.encode(new Operation(1, 0, 1, 1, "b", null, source, null)));

      await().atMost(Duration.ofMinutes(1)).until(() -> !broken.isEmpty());

      assertThat(broken).singleElement().asString().contains("StackOverflowError");
      assertThat(applier.appliedSeqNo().current()).isEqualTo(-1);
      applier.close();
    }
  }

  @Test
  void aSegmentReplicaWhoseRoundHadNoStackLeftIsBroken() {
    CopyContext context = toldOfItsEnd(world.copy("n1"));
    ReplicaFolder opened =
        ReplicaFolder.open(context, SegmentTransfers.DEFAULT, folder.resolve("segments"));
    SegmentReplicaLife life = new SegmentReplicaLife();
    CopyRounds rounds = new CopyRounds(context, CopyRounds.BACK_OFF);
    ReplicaWorker worker = worker(context, life, rounds);
    ReplicaParts parts =
        new ReplicaParts(opened.engine(), failing(opened), null, null, new HeldContent(opened));
    life.starting();
    life.holding(parts);
    assertThat(life.copying()).isTrue();
    assertThat(life.started()).isTrue();
    worker.start(parts);

    SegmentFile file = new SegmentFile("_0.si", 10, "checksum", "id");
    rounds.seen(
        new Manifest(NodeWorld.SHARD, "n2", 1, 1, 0, 0, 1, -1, List.of(file), "", Map.of(), 0));

    await().atMost(Duration.ofMinutes(1)).until(() -> !broken.isEmpty());
    worker.awaitEnd();
    opened.engine().close();
    assertThat(broken).singleElement().asString().contains("StackOverflowError");
  }

  private static ReplicaWorker worker(
      CopyContext context, SegmentReplicaLife life, CopyRounds rounds) {
    OffsetWatcher visible = new OffsetWatcher(-1);
    ManifestFeed feed = new ManifestFeed(context.manifests(), false, _ -> {}, _ -> {});
    return new ReplicaWorker(
        context,
        life,
        rounds,
        new ReplicaStats(context, rounds, visible, new RecoveryProgress(context, false)),
        new ShownPosition(context, visible, () -> null, _ -> {}),
        new ReplicaReadiness(context, feed, visible));
  }

  private static SegmentFollower failing(ReplicaFolder opened) {
    return new SegmentFollower(
        opened,
        new CopySources.Known(() -> null, () -> null),
        RoundObserver.NONE,
        new RecoveryProgress(opened.context(), false),
        new PeerPlaces(
            opened.context(),
            _ -> {
              throw new StackOverflowError("on purpose");
            }));
  }

  private CopyContext toldOfItsEnd(CopyContext copy) {
    return new CopyContext(
        copy.node(),
        copy.shard(),
        copy.copyId(),
        copy.folder(),
        new CopyContext.Listener() {
          @Override
          public void progressed() {}

          @Override
          public void broken(String reason) {
            broken.add(reason);
          }

          @Override
          public void contradicted(String reason) {
            broken.add(reason);
          }
        });
  }
}
