package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.engine.EngineConfig;
import io.varve.engine.ShardEngine;
import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RecordHeader;
import io.varve.host.FailingMapping;
import io.varve.host.NodeWorld;
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

/** An Error ends a replica as an exception does: it never stays, deaf, as if it were sound. */
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
    ReplicaWorld.append(world.operations(), RecordHeader.fence(1, "n1"));
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
      ReplicaWorld.append(
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
    CopyRounds rounds = new CopyRounds(world.copy("n1"), new FailingOwner(), CopyRounds.BACK_OFF);
    rounds.start();

    rounds.seen(new Manifest(NodeWorld.SHARD, "n2", 1, 1, 0, 0, 1, -1, List.of(), "", Map.of(), 0));

    await().atMost(Duration.ofMinutes(1)).until(() -> !broken.isEmpty());
    rounds.close();
    assertThat(broken).singleElement().asString().contains("StackOverflowError");
  }

  private final class FailingOwner implements CopyRounds.Owner {

    @Override
    public SegmentFollower.Ended run(Manifest target) {
      throw new StackOverflowError("on purpose");
    }

    @Override
    public void ended(SegmentFollower.Ended ended) {
      throw new AssertionError("no round ended");
    }

    @Override
    public boolean sync() {
      return true;
    }

    @Override
    public void broken(String reason) {
      broken.add(reason);
    }
  }
}
