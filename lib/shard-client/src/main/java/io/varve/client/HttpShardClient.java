package io.varve.client;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.rpc.ApiException;
import io.varve.rpc.BulkWire;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import io.varve.rpc.DocumentsWire;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.NodeBulkWire;
import io.varve.rpc.NodeLoad;
import io.varve.rpc.ProvenRecords;
import io.varve.rpc.ReadDemand;
import io.varve.rpc.Reencoded;
import io.varve.rpc.RereplicationPage;
import io.varve.rpc.RereplicationPosition;
import io.varve.rpc.SearchCallHeaders;
import io.varve.rpc.ShardLeases;
import io.varve.rpc.ShardReplication;
import io.varve.rpc.WriteResult;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;

/**
 * Client of the internal HTTP endpoints of copies.
 *
 * <p>Only a failure to connect proves that a bulk was not written; after a broken connection or a
 * timeout its outcome is unknown.
 */
public final class HttpShardClient implements ShardClient {

  /** The node enforces the timeout itself; the client waits a little longer for its answer. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final NodeHttp http;
  private final IntFunction<byte[]> largeArrays;
  private final ToLongFunction<String> metadataVersions;

  /**
   * @param largeArrays allocates arrays for answers to reads, see {@link NodeRequest#largeArrays}
   * @param metadataVersions the version of the metadata of an index, by its uuid, that this process
   *     knows: a copy's node must know this version before it writes or searches; 0 for none
   */
  public HttpShardClient(
      NodeHttp http, IntFunction<byte[]> largeArrays, ToLongFunction<String> metadataVersions) {
    this.http = http;
    this.largeArrays = largeArrays;
    this.metadataVersions = metadataVersions;
  }

  private long metadataVersion(CopyAddress copy) {
    return metadataVersions.applyAsLong(copy.shard().indexUuid());
  }

  @Override
  public BulkAnswer bulk(CopyAddress primary, BulkCall call, Duration timeout)
      throws InterruptedException {
    int items = call.items().size();
    NodeRequest request =
        post(
                primary,
                "/bulk?term="
                    + call.term()
                    + "&items="
                    + items
                    + "&metadata_version="
                    + metadataVersion(primary),
                BulkWire.encodeItems(call.items()),
                timeout)
            .header("Content-Type", BulkWire.CONTENT_TYPE)
            .header("Varve-Timeout-Millis", Long.toString(timeout.toMillis()));
    String task = call.task();
    try {
      NodeHttp.Answer answer =
          http.send(
              task == null ? request : request.header(SearchCallHeaders.TASK, task), call.abort());
      return bulkAnswer(answer.status(), answer.body(), items);
    } catch (NodeHttp.NotConnectedException e) {
      return new BulkAnswer.NotWritten(unreachable(primary, e));
    } catch (IOException e) {
      return new BulkAnswer.Unknown(noAnswer(primary, call, e), false);
    }
  }

  @Override
  public void bulks(List<BulkPart> parts, Duration timeout, BulkAnswers answers)
      throws InterruptedException {
    byte[] body =
        NodeBulkWire.encodeRequest(
            parts.stream()
                .map(part ->
                    new NodeBulkWire.Part(
                        part.primary().shard(),
                        part.call().term(),
                        metadataVersion(part.primary()),
                        part.call().task(),
                        part.call().items()))
                .toList());
    NodeRequest request =
        NodeRequest.post(
                parts.getFirst().primary().node(), NodeBulkWire.PATH, body, timeout.plus(GRACE))
            .header("Content-Type", NodeBulkWire.CONTENT_TYPE)
            .header("Varve-Timeout-Millis", Long.toString(timeout.toMillis()));
    new NodeBulkCall(parts, answers).run(http, request);
  }

  static String noAnswer(CopyAddress primary, BulkCall call, IOException failure) {
    String node = "node [" + primary.node().name() + "] did not answer";
    return call.abort().isAborted()
        ? node + " before another primary followed that of term " + call.term()
        : node + ": " + describe(failure);
  }

  static BulkAnswer bulkAnswer(int status, byte[] body, int items) {
    if (status != 200) {
      ErrorBody error = ErrorBodies.read(status, body);
      return switch (status) {
        case 404, 409, 421 -> new BulkAnswer.NotWritten(error);
        case 500, 502, 503, 504 ->
            new BulkAnswer.Unknown(
                "the primary failed: " + error.type() + ": " + error.reason(), true);
        default -> new BulkAnswer.Refused(error);
      };
    }
    List<WriteResult> results = BulkWire.decodeResults(body);
    return results.size() == items
        ? new BulkAnswer.Results(results)
        : new BulkAnswer.Unknown(results.size() + " results for " + items + " items", true);
  }

  static ErrorBody unreachable(CopyAddress copy, Throwable failure) {
    return ErrorBody.of(
        503,
        "connect_transport_exception",
        "[" + copy.node().name() + "][" + copy.node().url() + "] " + describe(failure));
  }

  private static String describe(Throwable failure) {
    String message = failure.getMessage();
    return failure.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }

  @Override
  public List<DocumentsWire.Result> get(CopyAddress copy, DocumentsCall call, Duration timeout)
      throws InterruptedException {
    NodeRequest request =
        post(
                copy,
                "/docs?realtime=" + call.realtime() + "&" + DocumentsWire.ITEM_ERRORS + "=true",
                DocumentsWire.encodeWanted(call.documents()),
                waiting(timeout, call.demand()))
            .headers(call.demand().headers())
            .within(largeArrays);
    List<DocumentsWire.Result> results =
        DocumentsWire.decodeResults(checked(send(copy, request, call.abort())));
    if (results.size() != call.documents().size()) {
      throw new MalformedRecordException(
          results.size() + " results for " + call.documents().size() + " documents");
    }
    return results;
  }

  private static Duration waiting(Duration timeout, ReadDemand demand) {
    return timeout.plusMillis(demand.waitMillis());
  }

  @Override
  public byte[] search(CopyAddress copy, SearchCall call, byte[] request, Duration timeout)
      throws InterruptedException {
    Duration waiting = waiting(timeout, call.demand());
    NodeHttp.Answer answer =
        send(
            copy,
            post(copy, path(call.step()), request, waiting)
                .within(largeArrays)
                .header(SearchCallHeaders.DEADLINE, Long.toString(Math.max(1, waiting.toMillis())))
                .header(SearchCallHeaders.METADATA, Long.toString(metadataVersion(copy)))
                .headers(SearchCallWire.headers(call)));
    CallTerms.Trial trial = call.terms().trial();
    String load = answer.load();
    if (trial != null && load != null) {
      NodeLoad.tryParse(load).ifPresent(trial.heard());
    }
    return checked(answer);
  }

  private static String path(SearchCall.Step step) {
    return switch (step) {
      case SearchCall.Step.Once _ -> "/search";
      case SearchCall.Step.CanMatch _ -> "/can-match";
      case SearchCall.Step.Statistics _ -> "/search-statistics";
      case SearchCall.Step.OpenPit _ -> "/open-reader";
      case SearchCall.Step.OpenScroll _ -> "/scroll";
      case SearchCall.Step.NextPage _ -> "/scroll-next";
      case SearchCall.Step.Explain(boolean rewritten) -> "/explain-query?rewritten=" + rewritten;
      case SearchCall.Step.Take(int count) -> "/scroll-take?count=" + count;
    };
  }

  @Override
  public long refresh(CopyAddress primary, Duration timeout) throws InterruptedException {
    byte[] answer = ask(primary, post(primary, "/refresh", timeout));
    return Json.mapper().readTree(answer).path("visible_seq_no").asLong(-1);
  }

  @Override
  public long seal(CopyAddress primary, long clusterVersion, Duration timeout)
      throws InterruptedException {
    NodeRequest request =
        post(primary, "/seal?cluster_version=" + clusterVersion, timeout)
            .header("Varve-Timeout-Millis", Long.toString(timeout.toMillis()));
    return Json.mapper().readTree(ask(primary, request)).path("visible_seq_no").asLong(-1);
  }

  @Override
  public void awaitVisible(CopyAddress copy, long seqNo, boolean hurry, Duration timeout)
      throws InterruptedException {
    // A copy that is not started in this cluster state may have started in the meantime.
    String unless = copy.copy().started() ? "" : "&if_started=true";
    String path =
        "/visible?seq_no="
            + seqNo
            + "&hurry="
            + hurry
            + "&timeout_millis="
            + timeout.toMillis()
            + unless;
    ask(copy, post(copy, path, timeout));
  }

  @Override
  public void flush(CopyAddress copy, Duration timeout) throws InterruptedException {
    ask(copy, post(copy, "/flush", timeout));
  }

  @Override
  public void merge(
      CopyAddress copy, ForceMergeRequest request, long clusterVersion, Duration timeout)
      throws InterruptedException {
    String path =
        "/merge?max_segments="
            + request.maxSegments()
            + "&only_expunge_deletes="
            + request.onlyExpungeDeletes()
            + "&flush="
            + request.flush()
            + "&cluster_version="
            + clusterVersion;
    ask(copy, post(copy, path, timeout));
  }

  @Override
  public Reencoded reencode(
      CopyAddress copy, String task, long clusterVersion, long bytesPerSecond, Duration timeout)
      throws InterruptedException {
    String path =
        "/reencode?bytes_per_second=" + bytesPerSecond + "&cluster_version=" + clusterVersion;
    return Json.read(
        ask(copy, post(copy, path, timeout).header(SearchCallHeaders.TASK, task)), Reencoded.class);
  }

  @Override
  public void clearCaches(CopyAddress copy, Map<String, String> which, Duration timeout)
      throws InterruptedException {
    StringBuilder path = new StringBuilder("/clear-cache?");
    which.forEach((name, value) ->
        path.append('&')
            .append(name)
            .append('=')
            .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
    ask(copy, post(copy, path.toString(), timeout));
  }

  @Override
  public CopyStats stats(CopyAddress copy, Duration timeout) throws InterruptedException {
    return Json.read(ask(copy, get(copy, "/stats", timeout)), CopyStats.class);
  }

  @Override
  public CopySegments segments(CopyAddress copy, Duration timeout) throws InterruptedException {
    return Json.read(ask(copy, get(copy, "/segments", timeout)), CopySegments.class);
  }

  @Override
  public ShardLeases leases(CopyAddress copy, Duration timeout) throws InterruptedException {
    return Json.read(ask(copy, get(copy, "/leases", timeout)), ShardLeases.class);
  }

  @Override
  public ShardReplication replication(CopyAddress primary, Duration timeout)
      throws InterruptedException {
    return Json.read(ask(primary, get(primary, "/replication", timeout)), ShardReplication.class);
  }

  @Override
  public List<Integer> replicationStates(
      CopyAddress primary, List<HoldsWire.Version> versions, Duration timeout)
      throws InterruptedException {
    NodeRequest request =
        post(
                primary,
                "/replication-states",
                HoldsWire.encode(new HoldsWire.Question(-1, 0, versions)),
                timeout)
            .header("Content-Type", HoldsWire.CONTENT_TYPE);
    return List.of(Json.read(ask(primary, request), Integer[].class));
  }

  @Override
  public RereplicationPage rereplicate(CopyAddress primary, RereplicateCall call, Duration timeout)
      throws InterruptedException {
    RereplicationPosition at = call.at();
    String path =
        rereplicate(call.step(), call.job())
            + "&term="
            + at.term()
            + "&incarnation="
            + URLEncoder.encode(at.incarnation(), StandardCharsets.UTF_8)
            + "&next_seq_no="
            + at.nextSeqNo()
            + "&end_seq_no="
            + at.endSeqNo();
    return Json.read(
        ask(primary, post(primary, path, Json.write(call.work()), timeout)),
        RereplicationPage.class);
  }

  private static String rereplicate(String step, String job) {
    return "/rereplicate?step=" + step + "&job=" + job;
  }

  @Override
  public ProvenRecords prove(
      CopyAddress primary, String job, List<HoldsWire.Version> versions, Duration timeout)
      throws InterruptedException {
    byte[] question = HoldsWire.encode(new HoldsWire.Question(-1, 0, versions));
    NodeRequest request =
        post(primary, rereplicate("prove", job), question, timeout)
            .header("Content-Type", HoldsWire.CONTENT_TYPE);
    return Json.read(ask(primary, request), ProvenRecords.class);
  }

  @Override
  public CopyRecovery recovery(CopyAddress copy, Duration timeout) throws InterruptedException {
    return Json.read(ask(copy, get(copy, "/recovery", timeout)), CopyRecovery.class);
  }

  private byte[] ask(CopyAddress copy, NodeRequest request) throws InterruptedException {
    return checked(send(copy, request));
  }

  private NodeHttp.Answer send(CopyAddress copy, NodeRequest request) throws InterruptedException {
    return send(copy, request, new Abort());
  }

  private NodeHttp.Answer send(CopyAddress copy, NodeRequest request, Abort abort)
      throws InterruptedException {
    try {
      return http.send(request, abort);
    } catch (IOException e) {
      throw new UnreachableException(unreachable(copy, e).reason(), e);
    }
  }

  private static byte[] checked(NodeHttp.Answer answer) {
    if (answer.status() != 200) {
      throw new ApiException(ErrorBodies.read(answer.status(), answer.body()));
    }
    return answer.body();
  }

  private static NodeRequest get(CopyAddress copy, String path, Duration timeout) {
    return NodeRequest.get(copy.node(), root(copy) + path, timeout.plus(GRACE));
  }

  private static NodeRequest post(CopyAddress copy, String path, Duration timeout) {
    return NodeRequest.post(copy.node(), root(copy) + path, timeout.plus(GRACE));
  }

  private static NodeRequest post(CopyAddress copy, String path, byte[] body, Duration timeout) {
    return NodeRequest.post(copy.node(), root(copy) + path, body, timeout.plus(GRACE));
  }

  private static String root(CopyAddress copy) {
    return "/_internal/shards/" + copy.shard().indexUuid() + "/" + copy.shard().number();
  }
}
