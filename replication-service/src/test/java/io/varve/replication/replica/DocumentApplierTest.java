package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.engine.EngineConfig;
import io.varve.engine.MappingSource;
import io.varve.engine.ShardEngine;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RecordHeader;
import io.varve.host.NodeWorld;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentApplierTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir Path folder;
  private final Semaphore gate = new Semaphore(0);
  private NodeWorld world;

  @BeforeEach
  void open() throws Exception {
    world = new NodeWorld(folder);
    world.createIndex(Map.of(), "{}");
    TestClusterLog.append(world.operations(), RecordHeader.fence(1, "n1"));
  }

  @AfterEach
  void close() {
    world.close();
  }

  /** Once armed, every thread that parses a document waits at the gate. */
  private final class SlowMapping implements MappingSource {

    private volatile boolean armed;

    @Override
    public Versioned current() {
      if (armed) {
        gate.acquireUninterruptibly();
        gate.release();
      }
      return new Versioned(1, "{\"properties\":{\"title\":{\"type\":\"keyword\"}}}");
    }
  }

  @Test
  void whatIsReadAndNotYetAppliedIsNoYoungerForARefresh() {
    SlowMapping mapping = new SlowMapping();
    EngineConfig config = new EngineConfig(NodeWorld.SHARD, folder.resolve("index"), 0, Map.of());
    try (ShardEngine engine = ShardEngine.open(config, mapping);
        DocumentApplier applier =
            new DocumentApplier(world.copy("n1"), world.operations(), engine, _ -> {})) {
      mapping.armed = true;
      byte[] source = "{\"title\":\"t\"}".getBytes(StandardCharsets.UTF_8);
      TestClusterLog.append(
          world.operations(),
          OperationCodec.encode(new Operation(1, 0, 1, 1, "b", null, source, null)));
      await().atMost(LONG).until(() -> applier.oldestUnshownMillis() > 0);
      long appended = applier.oldestUnshownMillis();

      assertThat(applier.showing().checkpoint().visibleSeqNo()).isEqualTo(-1);
      assertThat(applier.oldestUnshownMillis()).isEqualTo(appended);

      gate.release();
      await().atMost(LONG).until(() -> applier.appliedSeqNo().current() == 0);
      assertThat(applier.showing().oldestMillis()).isEqualTo(appended);
      assertThat(applier.oldestUnshownMillis()).isZero();
    }
  }
}
