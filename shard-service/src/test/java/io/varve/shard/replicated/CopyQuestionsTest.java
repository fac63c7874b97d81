package io.varve.shard.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.Json;
import io.varve.host.CopyContext;
import io.varve.host.NodeWorld;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.HoldsWire.Verdict;
import io.varve.rpc.HoldsWire.Version;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A primary asks a copy on another node, which is a server that answers as the test says. */
class CopyQuestionsTest {

  private static final Member REPLICA = new Member("r", "n2-run");
  private static final Version DOCUMENT = Version.of("d", 3, 1);

  @TempDir Path folder;
  private NodeWorld world;
  private HttpServer server;
  private CopyContext primary;
  private volatile int status = 200;
  private volatile byte[] body = {};

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(status, body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    server.start();
    world = new NodeWorld(folder);
    world.happened(
        new ClusterEvent.NodeJoined(
            new NodeInfo(
                "n2",
                "n2",
                "n2-run",
                Set.of(NodeInfo.REPLICA),
                "http://127.0.0.1:" + server.getAddress().getPort())));
    world.happened(
        new ClusterEvent.IndexCreated(
            new IndexMetadata(
                "books",
                NodeWorld.INDEX_UUID,
                0,
                Map.of(),
                1,
                "{}",
                1,
                null,
                List.of(
                    new ShardRouting(
                        NodeWorld.SHARD,
                        1,
                        List.of(
                            CopyRouting.unassigned("p", true, "NEW"),
                            CopyRouting.unassigned("r", false, "NEW")
                                .assignedTo("r", "n2")
                                .in(CopyRouting.State.STARTED)))))));
    primary = world.copy("n1");
  }

  @AfterEach
  void stop() {
    world.close();
    server.stop(0);
  }

  private void answers(ErrorBody error) {
    status = error.status();
    body = Json.write(ErrorBodies.response(error, null));
  }

  private HoldsWire.Answer ask() {
    return new CopyQuestions(primary)
        .ask(REPLICA, new HoldsWire.Question(3, 0, List.of(DOCUMENT)))
        .join();
  }

  @Test
  void aCopyAnswersWhetherItHoldsAVersion() {
    HoldsWire.Answer answer = new HoldsWire.Answer("r", "n2-run", 1, 3, List.of(Verdict.HOLDS));
    body = HoldsWire.encode(answer);
    assertThat(ask()).isEqualTo(answer);
  }

  @Test
  void aProcessWithoutTheEndpointIsAnOutcomeOfItsOwn() {
    answers(
        ErrorBody.of(404, "resource_not_found_exception", "no endpoint at [POST /_internal/…]"));

    assertThatThrownBy(this::ask)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(NoSuchEndpointException.class)
        .hasMessageContaining("copy r has no endpoint [holds]: it is of an older release");

    ComparedCopies compared =
        new ComparedCopies(
            primary, new ReplicatedRecords(1, 0, new RecordLimits(2, true, 1, 1, 1_000)));
    assertThatThrownBy(() -> compared.digests(REPLICA, 4))
        .isInstanceOf(NoSuchEndpointException.class)
        .hasMessageContaining("[digest]");
    assertThatThrownBy(() -> new Rebuilds(primary).rebuild(REPLICA, "on purpose"))
        .isInstanceOf(NoSuchEndpointException.class)
        .hasMessageContaining("[contradicted]");
  }

  @Test
  void aNodeThatDoesNotHaveTheCopyYetIsAskedAgain() {
    answers(ErrorBody.of(404, "shard_not_found_exception", "no copy on this node"));

    assertThatThrownBy(this::ask)
        .hasCauseInstanceOf(IOException.class)
        .hasMessageContaining("copy r answered 404 to holds: no copy on this node")
        .satisfies(failure ->
            assertThat(failure.getCause()).isNotInstanceOf(NoSuchEndpointException.class));
  }
}
