package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.host.ShardCopy;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A primary and a segment replica that starts behind it. */
abstract class SegmentReplicaWorld {
  @TempDir Path data;
  ReplicaWorld world;

  @BeforeEach
  void open() throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"));
    world.openPrimary();
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  static void start(SegmentReplicaCopy replica) {
    try {
      replica.start();
    } catch (Exception e) {
      assertThat(replica.state()).isEqualTo(ShardCopy.State.CLOSED);
    }
  }
}
