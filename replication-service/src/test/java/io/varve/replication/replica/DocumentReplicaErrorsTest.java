package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.engine.EngineConfig;
import io.varve.engine.ShardEngine;
import io.varve.host.CopyContext;
import io.varve.host.FailingMapping;
import io.varve.host.NodeContext;
import io.varve.host.NodeWorld;
import io.varve.host.ShardCopy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An Error such as a faulty mmap throws, here thrown by the clock. */
class DocumentReplicaErrorsTest {

  @TempDir Path folder;
  private volatile boolean faulty;
  private NodeWorld world;
  private CopyContext context;

  @BeforeEach
  void open() throws Exception {
    world = new NodeWorld(folder);
    CopyContext sound = world.copy("n1");
    context =
        new CopyContext(
            withFaults(sound.node()), sound.shard(), sound.copyId(), sound.folder(), sound.host());
  }

  @AfterEach
  void close() {
    faulty = false;
    world.close();
  }

  private NodeContext withFaults(NodeContext node) {
    return new NodeContext(
        node.identity(),
        node.settings(),
        node.log(),
        node.topics(),
        node.cluster(),
        node.leader(),
        node.http(),
        this::now,
        node.timer(),
        node.blocking(),
        node.applying());
  }

  private Instant now() {
    if (faulty) {
      throw new InternalError("on purpose");
    }
    return Instant.now();
  }

  private DocumentReplicaCopy started(String refreshInterval) throws Exception {
    world.createIndex(Map.of("index.refresh_interval", refreshInterval), "{}");
    DocumentReplicaCopy replica = new DocumentReplicaCopy(context);
    replica.start();
    return replica;
  }

  @Test
  void aCopyThatCanNotBeKeptUpIsBroken() throws Exception {
    DocumentReplicaCopy replica = started("1s");

    faulty = true;

    await().atMost(Duration.ofMinutes(1)).until(() -> !world.broken.isEmpty());
    assertThat(replica.state()).isEqualTo(ShardCopy.State.FAILED);
    faulty = false;
    replica.close();
  }

  @Test
  void aCopyThatCanNotCommitWhileItClosesLetsGoOfItsFolder() throws Exception {
    DocumentReplicaCopy replica = started("-1");

    faulty = true;
    assertThatThrownBy(replica::close).isInstanceOf(InternalError.class);

    EngineConfig config =
        new EngineConfig(NodeWorld.SHARD, context.folder().resolve("index"), 0, Map.of());
    try (ShardEngine next = ShardEngine.open(config, new FailingMapping())) {
      assertThat(next.committed().nextSeqNo()).isZero();
    }
  }
}
