package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import io.varve.events.NodeHeartbeat;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeartbeatPublisherTest {

  private static final Topics TOPICS = new Topics("test", 1);

  @TempDir private Path data;
  private final InMemoryMessageLog log = new InMemoryMessageLog(Runnable::run, () -> 0);

  @BeforeEach
  void createTopic() throws LogException {
    log.createTopic(TOPICS.nodesSpec());
  }

  private HeartbeatPublisher publisher(String role) throws Exception {
    return new HeartbeatPublisher(
        log,
        TOPICS,
        NodeIdentity.open(data, role, Set.of(role)),
        "http://127.0.0.1:1",
        data,
        InstantSource.system(),
        reason -> {
          throw new AssertionError(reason);
        });
  }

  private List<NodeHeartbeat> beats(int partition) throws LogException {
    List<NodeHeartbeat> beats = new ArrayList<>();
    PartitionLog nodes = log.open(TOPICS.nodes(), partition);
    nodes.read(
        0,
        nodes.endOffset(),
        stored ->
            beats.add(
                Json.read(Objects.requireNonNull(stored.record().value()), NodeHeartbeat.class)));
    return beats;
  }

  @Test
  void aDataNodeSendsItsHeartbeatsToThePartitionOfItsId() throws Exception {
    HeartbeatPublisher publisher = publisher(NodeInfo.PRIMARY);
    publisher.beat(0);
    publisher.beat(0);
    int home = Topics.partitionOf(publisher.heartbeat(0).nodeId(), Topics.NODES_PARTITIONS);
    for (int partition = 0; partition < Topics.NODES_PARTITIONS; partition++) {
      assertThat(beats(partition)).hasSize(partition == home ? 2 : 0);
    }
  }

  @Test
  void aCoordinatorSendsEachHeartbeatToAllPartitionsUntilItEnds() throws Exception {
    HeartbeatPublisher publisher = publisher(NodeInfo.COORDINATOR);
    publisher.beat(7);
    publisher.withoutRoles().beat(0);
    for (int partition = 0; partition < Topics.NODES_PARTITIONS; partition++) {
      assertThat(beats(partition)).extracting(NodeHeartbeat::leadingTerm).containsExactly(7L, 0L);
    }
  }
}
