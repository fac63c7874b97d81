package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.events.Json;
import io.varve.host.NodeWorld;
import io.varve.host.ShardCopy;
import io.varve.log.LogException;
import io.varve.rpc.FolderPosition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A primary that starts while another copy holds more or less than it has itself. */
class HeldByOthersTest extends PrimaryCopyWorld {

  private static final FolderPosition NOTHING = FolderPosition.EMPTY;

  private HttpServer otherNode;
  private final AtomicInteger asked = new AtomicInteger();

  /** The node sends each of them once, and then repeats the last one. Empty: it responds 503. */
  private final ConcurrentLinkedQueue<byte[]> answers = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void openOtherNode() throws IOException {
    otherNode = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    otherNode.createContext(
        "/_internal/folders/" + NodeWorld.SHARD.indexUuid() + "/0",
        exchange -> {
          asked.incrementAndGet();
          byte[] body = answers.size() > 1 ? answers.remove() : answers.element();
          if (body.length == 0) {
            exchange.sendResponseHeaders(503, -1);
          } else {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    otherNode.start();
  }

  @AfterEach
  void closeOtherNode() {
    otherNode.stop(0);
  }

  private void index(String consistency) {
    world.createIndex(
        Map.of("index.refresh_interval", "-1", "index.replication.consistency", consistency),
        MAPPING);
  }

  private void otherCopyAnswers(FolderPosition answer) throws IOException {
    answers.add(Json.write(answer));
    world.happened(
        new ClusterEvent.CopiesChanged(
            NodeWorld.SHARD,
            List.of(
                new CopyRouting("copy-on-n1", true, CopyRouting.State.INITIALIZING, "n1", ""),
                new CopyRouting("other", false, CopyRouting.State.INITIALIZING, "n2", ""))));
  }

  private void otherNodeJoins() {
    String url = "http://127.0.0.1:" + otherNode.getAddress().getPort();
    world.happened(
        new ClusterEvent.NodeJoined(
            new NodeInfo("n2", "n2", "n2-1", Set.of(NodeInfo.REPLICA), url, Map.of())));
  }

  @Test
  void aLogThatLostWhatAnotherCopyHoldsIsRefusedBeforeAnythingIsAppended() throws Exception {
    index("strong");
    otherNodeJoins();
    otherCopyAnswers(new FolderPosition(true, 7, 1, true, "the log ends at offset 0"));
    long end = world.operations().endOffset();

    assertThatThrownBy(() -> started("n1", 2))
        .isInstanceOf(LogException.Lost.class)
        .hasMessageContaining("copy other on node n2 holds what it lacks")
        .hasMessageContaining("the log ends at offset 0");
    assertThat(world.operations().endOffset()).isEqualTo(end);
  }

  @Test
  void noGateIsOpenedOnALogThatLostItAfterTheAnswer() throws Exception {
    index("strong");
    otherNodeJoins();
    otherCopyAnswers(new FolderPosition(true, 7, 1, true, null));

    assertThatThrownBy(() -> started("n1", 2))
        .isInstanceOf(LogException.Lost.class)
        .hasMessageContaining("all operations before seq_no 0, another copy all before 7");
  }

  @Test
  void aCopyOfAMemberIsAskedUntilItAnswers() throws Exception {
    index("strong");
    otherNodeJoins();
    answers.add(new byte[0]);
    answers.add(new byte[0]);
    otherCopyAnswers(NOTHING);

    assertThat(started("n1", 2).state()).isEqualTo(ShardCopy.State.STARTED);
    assertThat(asked.get()).isEqualTo(3);
  }

  @Test
  void aCopyOnANodeThatLeftCountsAsLost() throws Exception {
    index("strong");
    otherCopyAnswers(new FolderPosition(true, 7, 1, true, "the log ends at offset 0"));

    assertThat(started("n1", 2).state()).isEqualTo(ShardCopy.State.STARTED);
    assertThat(asked.get()).isZero();
  }

  @Test
  void anEventualIndexDoesNotAsk() throws Exception {
    index("eventual");
    otherNodeJoins();
    otherCopyAnswers(new FolderPosition(true, 7, 1, true, "the log ends at offset 0"));

    assertThat(started("n1", 2).state()).isEqualTo(ShardCopy.State.STARTED);
    assertThat(asked.get()).isZero();
  }
}
