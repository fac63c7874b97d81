package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.NodeInfo;
import io.varve.events.Feature;
import io.varve.events.Json;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ReplicateWire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how a puller interprets the responses of its shard's primary. */
@Timeout(180)
class FollowerPrimaryTest {

  private static final ShardId SHARD = new ShardId(FollowerClusterLog.uuid("follower"), 1);
  private static final String PATH = "/_internal/shards/" + SHARD.indexUuid() + "/1";
  private static final ReplicateWire.Cursor CURSOR =
      new ReplicateWire.Cursor(41, 2, 40, 38, 39, 5, 7L);

  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private HttpServer node;
  private FollowerClusterLog cluster;
  private FollowerPrimary primary;
  private volatile int status = 200;
  private volatile byte[] answer = {};
  private volatile byte[] body = {};

  @BeforeEach
  void start() throws Exception {
    node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    node.createContext(
        PATH,
        exchange -> {
          body = exchange.getRequestBody().readAllBytes();
          requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
          exchange.sendResponseHeaders(status, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    node.start();
    cluster = new FollowerClusterLog();
    cluster.createIndex("follower", FollowerClusterLog.pulledBy("n1"));
    primary = new FollowerPrimary(http, cluster.view, SHARD);
  }

  @AfterEach
  void close() {
    node.stop(0);
    http.close();
    cluster.close();
  }

  private void startPrimary() throws Exception {
    assignPrimary();
    cluster.happened(new ClusterEvent.CopyStarted(SHARD, "follower1", 1));
  }

  private void assignPrimary() throws Exception {
    String url = "http://127.0.0.1:" + node.getAddress().getPort();
    cluster.happened(
        new ClusterEvent.NodeJoined(new NodeInfo("n2", "n2", "i", Set.of(NodeInfo.PRIMARY), url)));
    cluster.happened(new ClusterEvent.PrimaryAssigned(SHARD, "follower1", "n2", 1));
  }

  private static List<Operation> operations() {
    byte[] source = "{}".getBytes(StandardCharsets.UTF_8);
    return List.of(new Operation(1, 0, 1, 0, "d", null, source, new Operation.Origin(7, 1, 70)));
  }

  private FollowerPrimary.Outcome replicate() throws InterruptedException {
    return primary.replicate(6, operations());
  }

  @Test
  void nobodyIsAskedWhileThePrimaryHasNoNode() throws Exception {
    assertThat(primary.cursor()).isEmpty();
    assertThat(replicate()).isInstanceOf(FollowerPrimary.Outcome.TryAgain.class);
    assertThat(requests).isEmpty();
  }

  @Test
  void aPrimaryThatIsStartingIsAskedBecauseItMayWaitForOperations() throws Exception {
    assignPrimary();
    answer = Json.write(CURSOR);
    assertThat(primary.cursor()).contains(CURSOR);
    ReplicateWire.Answer held = new ReplicateWire.Answer(7, 1, 0, 1);
    answer = Json.write(held);

    assertThat(replicate()).isEqualTo(new FollowerPrimary.Outcome.Held(held));
  }

  @Test
  void theCursorIsWhatThePrimarySays() throws Exception {
    startPrimary();
    answer = Json.write(CURSOR);
    assertThat(primary.cursor()).contains(CURSOR);

    status = 503;
    assertThat(primary.cursor()).isEmpty();

    assertThat(requests).containsOnly("GET " + PATH + "/ccr-cursor");
  }

  @Test
  void whatIsHeldIsWhatThePrimarySays() throws Exception {
    startPrimary();
    ReplicateWire.Answer held = new ReplicateWire.Answer(7, 1, 0, 1);
    answer = Json.write(held);

    assertThat(replicate()).isEqualTo(new FollowerPrimary.Outcome.Held(held));
    assertThat(requests).containsExactly("POST " + PATH + "/replicate?assignment=6");
  }

  @Test
  void digestsAreSentOnceTheClusterHasThem() throws Exception {
    startPrimary();
    answer = Json.write(new ReplicateWire.Answer(7, 1, 0, 1));
    var _ = replicate();
    assertThat(ReplicateWire.decode(body).getFirst().origin())
        .isEqualTo(new Operation.Origin(7, 1));

    cluster.happened(new ClusterEvent.FeatureLevelRaised(Feature.ORIGIN_DIGESTS.since()));

    var _ = replicate();
    assertThat(ReplicateWire.decode(body).getFirst().origin())
        .isEqualTo(new Operation.Origin(7, 1, 70));
  }

  @ParameterizedTest
  @CsvSource({
    "404, shard_not_found_exception, true",
    "429, rejected_execution_exception, true",
    "500, internal_server_error, true",
    "503, unknown_outcome_exception, true",
    "409, stale_primary_exception, true",
    "409, history_gap_exception, true",
    "409, stale_assignment_exception, false",
    "409, illegal_state_exception, false",
    "400, mapper_parsing_exception, false"
  })
  void whatPassesIsTriedAgainAndWhatDoesNotIsRefused(int code, String type, boolean passes)
      throws Exception {
    startPrimary();
    status = code;
    answer = Json.write(Map.of("error", ErrorBody.of(code, type, "why").toMap(), "status", code));

    FollowerPrimary.Outcome outcome = replicate();

    String reason = code + " " + type + ": why";
    assertThat(outcome)
        .isEqualTo(
            passes
                ? new FollowerPrimary.Outcome.TryAgain(reason, type.equals("history_gap_exception"))
                : new FollowerPrimary.Outcome.Refused(reason));
  }

  @Test
  void aNodeThatDoesNotAnswerIsAskedAgain() throws Exception {
    startPrimary();
    node.stop(0);

    assertThat(primary.cursor()).isEmpty();
    assertThat(replicate()).isInstanceOf(FollowerPrimary.Outcome.TryAgain.class);
  }
}
