package io.varve.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.varve.client.ShardClient.BulkAnswer;
import io.varve.client.ShardClient.BulkCall;
import io.varve.client.ShardClient.BulkPart;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import io.varve.rpc.BulkWire;
import io.varve.rpc.NodeBulkWire;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bulks that are sent together: each has its own answer, whatever becomes of the request. */
@Timeout(300)
class HttpNodeBulksTest {

  private static final Duration TIMEOUT = Duration.ofHours(1);

  /** A port that was recently free may be in use by now. */
  private static final int NOBODYS_PORT = 1;

  private final NodeHttp http = new NodeHttp(TIMEOUT);
  private final ShardClient client = new HttpShardClient(http, byte[]::new, _ -> 7);
  private final Map<Integer, BulkAnswer> answers = new ConcurrentHashMap<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private HttpServer server;
  private volatile Response response = _ -> {};
  private volatile byte[] body = {};

  @FunctionalInterface
  private interface Response {
    void to(HttpExchange exchange) throws IOException, InterruptedException;
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/_internal/bulk", this::handle);
    server.start();
  }

  @AfterEach
  void stop() {
    end.countDown();
    server.stop(0);
    http.close();
  }

  private void handle(HttpExchange exchange) throws IOException {
    body = exchange.getRequestBody().readAllBytes();
    try {
      response.to(exchange);
    } catch (InterruptedException e) {
      throw new IOException(e);
    } finally {
      exchange.close();
    }
  }

  private static List<BulkPart> parts(int port) {
    NodeInfo node =
        new NodeInfo("n", "n", "i", Set.of(NodeInfo.PRIMARY), "http://127.0.0.1:" + port);
    byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
    return IntStream.range(0, 3)
        .mapToObj(shard ->
            new BulkPart(
                new CopyAddress(
                    new ShardId("uuid", shard),
                    new CopyRouting("c", true, CopyRouting.State.STARTED, "n", ""),
                    node),
                new BulkCall(7, List.of(WriteItem.index("1", body)), null, new Abort())))
        .toList();
  }

  private void send(List<BulkPart> parts) throws InterruptedException {
    client.bulks(
        parts,
        TIMEOUT,
        (part, answer) ->
            assertThat(answers.put(part, answer)).as("an earlier answer to %d", part).isNull());
  }

  private void send() throws InterruptedException {
    send(parts(server.getAddress().getPort()));
  }

  private static byte[] done(int part) {
    List<WriteResult> results = List.of(new WriteResult.Done("created", part, 7, 1));
    return NodeBulkWire.encodeFrame(
        new NodeBulkWire.Frame(part, 200, BulkWire.encodeResults(results)));
  }

  private static byte[] failed(int part, int status) {
    byte[] error = "{\"error\":{\"type\":\"t\",\"reason\":\"r\"}}".getBytes(StandardCharsets.UTF_8);
    return NodeBulkWire.encodeFrame(new NodeBulkWire.Frame(part, status, error));
  }

  private static Response frames(byte[]... frames) {
    return exchange -> {
      exchange.sendResponseHeaders(200, 0);
      for (byte[] frame : frames) {
        exchange.getResponseBody().write(frame);
      }
    };
  }

  @Test
  void eachPartIsAnsweredAsIfItWereAlone() throws Exception {
    response = frames(failed(2, 429), done(0), failed(1, 409));

    send();

    assertThat(answers.get(0)).isInstanceOf(BulkAnswer.Results.class);
    assertThat(answers.get(1)).isInstanceOf(BulkAnswer.NotWritten.class);
    assertThat(answers.get(2)).isInstanceOf(BulkAnswer.Refused.class);
  }

  @Test
  void eachPartSaysWhichMetadataThisProcessKnows() throws Exception {
    response = frames(done(0), done(1), done(2));

    send();

    int length = NodeBulkWire.length(Arrays.copyOf(body, NodeBulkWire.LENGTH_BYTES));
    byte[] heads =
        Arrays.copyOfRange(body, NodeBulkWire.LENGTH_BYTES, NodeBulkWire.LENGTH_BYTES + length);
    assertThat(NodeBulkWire.decodeHeads(heads))
        .hasSize(3)
        .allSatisfy(head -> assertThat(head.metadataVersion()).isEqualTo(7));
  }

  @Test
  void anAnswerArrivesBeforeThoseOfOthersAndOneThatIsAbortedIsNotAwaited() throws Exception {
    response =
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          OutputStream out = exchange.getResponseBody();
          out.write(done(1));
          out.write(done(2));
          out.flush();
          end.await();
        };
    List<BulkPart> parts = parts(server.getAddress().getPort());

    client.bulks(
        parts,
        TIMEOUT,
        (part, answer) -> {
          answers.put(part, answer);
          if (part == 2) {
            parts.getFirst().call().abort().abort();
          }
        });

    assertThat(answers.get(0))
        .isInstanceOfSatisfying(
            BulkAnswer.Unknown.class, unknown -> assertThat(unknown.answered()).isFalse());
    assertThat(answers.get(1)).isInstanceOf(BulkAnswer.Results.class);
    assertThat(answers.get(2)).isInstanceOf(BulkAnswer.Results.class);
  }

  @ParameterizedTest
  @CsvSource({"404, NotWritten", "409, NotWritten", "429, Refused", "400, Refused", "503, Unknown"})
  void anErrorOfTheRequestIsThatOfEachPart(int status, String answer) throws Exception {
    response = exchange -> exchange.sendResponseHeaders(status, -1);

    send();

    assertThat(answers).hasSize(3);
    assertThat(answers.values())
        .allSatisfy(one -> assertThat(one.getClass().getSimpleName()).isEqualTo(answer));
  }

  @Test
  void whatWasAnsweredBeforeTheConnectionBrokeIsKnown() throws Exception {
    response =
        exchange -> {
          exchange.sendResponseHeaders(200, 10_000);
          exchange.getResponseBody().write(done(1));
          exchange.getResponseBody().flush();
        };

    send();

    assertThat(answers.get(1)).isInstanceOf(BulkAnswer.Results.class);
    assertThat(List.of(answers.get(0), answers.get(2)))
        .allSatisfy(answer ->
            assertThat(answer)
                .isInstanceOfSatisfying(
                    BulkAnswer.Unknown.class, unknown -> assertThat(unknown.answered()).isFalse()));
  }

  @Test
  void whatFollowsAMalformedFrameIsUnknown() throws Exception {
    response = frames(done(1), done(7), done(0));

    send();

    assertThat(answers.get(1)).isInstanceOf(BulkAnswer.Results.class);
    assertThat(List.of(answers.get(0), answers.get(2)))
        .allSatisfy(answer ->
            assertThat(answer)
                .isInstanceOfSatisfying(
                    BulkAnswer.Unknown.class,
                    unknown ->
                        assertThat(unknown.reason())
                            .contains("malformed")
                            .contains("part 7 of 3")));
  }

  @Test
  void aPartWithoutAnAnswerAtTheEndIsUnknown() throws Exception {
    response = frames(done(0), done(2));

    send();

    assertThat(answers.get(1)).isInstanceOf(BulkAnswer.Unknown.class);
  }

  @Test
  void withoutAConnectionNothingWasWritten() throws Exception {
    send(parts(NOBODYS_PORT));

    assertThat(answers).hasSize(3);
    assertThat(answers.values()).allMatch(BulkAnswer.NotWritten.class::isInstance);
  }
}
