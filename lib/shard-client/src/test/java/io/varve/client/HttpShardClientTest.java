package io.varve.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.varve.client.ShardClient.BulkAnswer;
import io.varve.client.ShardClient.DocumentsCall;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.rpc.BulkWire;
import io.varve.rpc.DocumentsWire;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.ProvenRecords;
import io.varve.rpc.ReadDemand;
import io.varve.rpc.RecordOperations;
import io.varve.rpc.RereplicationPage;
import io.varve.rpc.RereplicationPosition;
import io.varve.rpc.RereplicationWork;
import io.varve.rpc.SearchCallHeaders;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The client reports "not written" only if that is certain. */
class HttpShardClientTest {

  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  /** A port that was recently free may be in use by now. */
  private static final int NOBODYS_PORT = 1;

  /** In place of a status: the connection stays open and nothing is sent. */
  private static final int SILENT = -1;

  private final NodeHttp http = new NodeHttp(TIMEOUT);
  private final ShardClient client = new HttpShardClient(http, byte[]::new, _ -> 7);
  private final List<URI> asked = new CopyOnWriteArrayList<>();
  private final List<String> metadata = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private volatile int status = 200;
  private volatile byte[] answer = {};

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    http.close();
  }

  private void handle(HttpExchange exchange) throws IOException {
    asked.add(exchange.getRequestURI());
    metadata.addAll(
        exchange.getRequestHeaders().getOrDefault(SearchCallHeaders.METADATA, List.of()));
    exchange.getRequestBody().readAllBytes();
    if (status == SILENT) {
      return;
    }
    if (status == 0) {
      exchange.close();
      return;
    }
    exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(answer);
    }
  }

  private CopyAddress copy() {
    return copy(server.getAddress().getPort());
  }

  private static CopyAddress copy(int port) {
    return new CopyAddress(
        new ShardId("uuid", 3),
        new CopyRouting("c", true, CopyRouting.State.STARTED, "n", ""),
        new NodeInfo("n", "n", "i", Set.of(NodeInfo.PRIMARY), "http://127.0.0.1:" + port));
  }

  private static List<WriteItem> items() {
    byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
    return List.of(WriteItem.index("1", body));
  }

  @Test
  void aStepOfAJobNamesItsPosition() throws Exception {
    RereplicationPage page =
        new RereplicationPage(
            new RereplicationPosition(2, "run", 10, 20),
            -1,
            3,
            new RereplicationPage.Outcomes(
                4, new RereplicationPage.Proofs(3, 1, 0, 0), new RereplicationPage.Writes(2, 1, 0)),
            null,
            new RereplicationPage.Failure(409, "version_conflict_engine_exception", "changed"));
    answer = Json.write(page);
    ShardClient.RereplicateCall call =
        new ShardClient.RereplicateCall(
            "walk",
            "job",
            new RereplicationPosition(1, "a run", 5, 20),
            new RereplicationWork(null, 7, RecordOperations.TOUCH, true, false));

    assertThat(client.rereplicate(copy(), call, TIMEOUT)).isEqualTo(page);
    assertThat(asked.getFirst().toString())
        .isEqualTo(
            "/_internal/shards/uuid/3/rereplicate?step=walk&job=job&term=1&incarnation=a+run"
                + "&next_seq_no=5&end_seq_no=20");
  }

  @Test
  void provenRecordsAreReadWithTheirPositions() throws Exception {
    ProvenRecords records =
        new ProvenRecords(List.of(0, 2), new RereplicationPage.Proofs(2, 0, 1, 0), 4);
    answer = Json.write(records);
    List<HoldsWire.Version> versions = List.of(HoldsWire.Version.of("1", 3, 1));

    assertThat(client.prove(copy(), "job", versions, TIMEOUT)).isEqualTo(records);
    status = 404;
    answer = new byte[0];
    assertThatThrownBy(() -> client.prove(copy(), "job", versions, TIMEOUT))
        .as("an older process")
        .isInstanceOf(ApiException.class);
  }

  @Test
  void aSearchSaysWhichMetadataThisProcessKnows() throws Exception {
    SearchCall call =
        new SearchCall(new SearchCall.Step.Once(false), 0, null, null, SearchCall.Bounds.NONE);

    var _ = client.search(copy(), call, new byte[0], TIMEOUT);

    assertThat(metadata).containsExactly("7");
  }

  @Test
  void bringsTheResults() throws Exception {
    answer = BulkWire.encodeResults(List.of(new WriteResult.Done("created", 4, 2, 1)));

    assertThat(
            client.bulk(copy(), new ShardClient.BulkCall(2, items(), null, new Abort()), TIMEOUT))
        .isEqualTo(new BulkAnswer.Results(List.of(new WriteResult.Done("created", 4, 2, 1))));
    assertThat(asked.getFirst())
        .hasToString("/_internal/shards/uuid/3/bulk?term=2&items=1&metadata_version=7");
  }

  @ParameterizedTest
  @CsvSource({
    "409,NotWritten",
    "404,NotWritten",
    "429,Refused",
    "413,Refused",
    "500,Unknown",
    "503,Unknown",
    "0,Unknown",
  })
  void tellsApartWhatMayHaveBeenWritten(int answered, String outcome) throws Exception {
    status = answered;
    answer =
        "{\"error\":{\"type\":\"t\",\"reason\":\"r\",\"extra\":1},\"status\":400}"
            .getBytes(StandardCharsets.UTF_8);

    assertThat(
            client
                .bulk(copy(), new ShardClient.BulkCall(2, items(), null, new Abort()), TIMEOUT)
                .getClass()
                .getSimpleName())
        .isEqualTo(outcome);
    assertThat(asked).hasSize(1);
  }

  @Test
  void withoutConnectionNothingWasWritten() throws Exception {
    assertThat(
            client.bulk(
                copy(NOBODYS_PORT),
                new ShardClient.BulkCall(2, items(), null, new Abort()),
                TIMEOUT))
        .isInstanceOf(BulkAnswer.NotWritten.class);
    assertThatThrownBy(() -> client.stats(copy(NOBODYS_PORT), TIMEOUT))
        .isInstanceOf(UnreachableException.class);
  }

  @Test
  @Timeout(60)
  void aCallThatIsAbortedEndsAtOnceWithAnUnknownOutcome() throws Exception {
    status = SILENT;
    Abort abort = new Abort();
    CompletableFuture<BulkAnswer> answered =
        CompletableFuture.supplyAsync(() -> {
          try {
            return client.bulk(
                copy(), new ShardClient.BulkCall(2, items(), null, abort), Duration.ofMinutes(10));
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    await().atMost(Duration.ofSeconds(60)).until(() -> !asked.isEmpty());

    abort.abort();

    assertThat(answered.get())
        .isEqualTo(
            new BulkAnswer.Unknown(
                "node [n] did not answer before another primary followed that of term 2", false));
    assertThatThrownBy(() ->
            client.get(copy(), new DocumentsCall(List.of(), true, ReadDemand.NONE, abort), TIMEOUT))
        .isInstanceOf(UnreachableException.class);
  }

  @Test
  void resultsThatDoNotMatchTheItemsAreNoResults() throws Exception {
    answer = BulkWire.encodeResults(List.of());

    assertThat(
            client.bulk(copy(), new ShardClient.BulkCall(2, items(), null, new Abort()), TIMEOUT))
        .isInstanceOf(BulkAnswer.Unknown.class);
  }

  @Test
  void readsDocumentsTogether() throws Exception {
    answer =
        DocumentsWire.encodeResults(
            List.of(
                new DocumentsWire.Result.Read(GetResult.missing("a b/ö")),
                new DocumentsWire.Result.Failed(ErrorBody.of(503, "t", "not now"))));
    DocumentsCall call =
        new DocumentsCall(
            List.of(
                new DocumentsWire.Wanted("a b/ö", Set.of("r&s")),
                new DocumentsWire.Wanted("2", Set.of())),
            true,
            ReadDemand.NONE,
            new Abort());

    assertThat(client.get(copy(), call, TIMEOUT))
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(
            new DocumentsWire.Result.Read(GetResult.missing("a b/ö")),
            new DocumentsWire.Result.Failed(ErrorBody.of(503, "t", "not now")));
    assertThat(asked).hasSize(1);
    assertThat(asked.getFirst().getRawQuery()).isEqualTo("realtime=true&item_errors=true");
  }

  @Test
  void documentsThatDoNotMatchWhatWasWantedAreNoAnswer() {
    answer = DocumentsWire.encodeResults(List.of());
    DocumentsCall call =
        new DocumentsCall(
            List.of(new DocumentsWire.Wanted("1", Set.of())), false, ReadDemand.NONE, new Abort());

    assertThatThrownBy(() -> client.get(copy(), call, TIMEOUT))
        .isInstanceOf(MalformedRecordException.class);
  }

  @Test
  void anErrorKeepsItsTypeReasonAndFields() {
    status = 504;
    answer =
        "{\"error\":{\"type\":\"t\",\"reason\":\"r\",\"extra\":1},\"status\":504}"
            .getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> client.awaitVisible(copy(), 9, true, TIMEOUT))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().status()).isEqualTo(504);
              assertThat(e.error().type()).isEqualTo("t");
              assertThat(e.error().fields()).containsEntry("extra", 1);
            });
  }
}
