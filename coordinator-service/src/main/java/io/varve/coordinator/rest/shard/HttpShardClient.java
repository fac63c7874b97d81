package io.varve.coordinator.rest.shard;

import io.varve.coordinator.rest.ErrorBodies;
import io.varve.events.Json;
import io.varve.rpc.ApiException;
import io.varve.rpc.BulkWire;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.GetResultWire;
import io.varve.rpc.MergeWish;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * The internal HTTP of a node, as a client.
 *
 * <p>Only a failure to connect says for certain that a bulk was not written; a connection that
 * broke later, or an answer that did not come in time, leaves it open.
 */
public final class HttpShardClient implements ShardClient {

  /** The node keeps the time itself; the client waits a little longer for its word. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private static final String JSON = "application/json";

  private final HttpClient http;

  public HttpShardClient(HttpClient http) {
    this.http = http;
  }

  @Override
  public BulkAnswer bulk(CopyAddress primary, long term, List<WriteItem> items, Duration timeout)
      throws InterruptedException {
    HttpRequest request =
        to(primary, "/bulk?term=" + term, timeout)
            .header("Content-Type", BulkWire.CONTENT_TYPE)
            .header("Varve-Timeout-Millis", Long.toString(timeout.toMillis()))
            .POST(BodyPublishers.ofByteArray(BulkWire.encodeItems(items)))
            .build();
    try {
      return bulkAnswer(http.send(request, BodyHandlers.ofByteArray()), items.size());
    } catch (ConnectException | HttpConnectTimeoutException | UnresolvedAddressException e) {
      return new BulkAnswer.NotWritten(unreachable(primary, e));
    } catch (IOException e) {
      return new BulkAnswer.Unknown(
          "node [" + primary.node().name() + "] did not answer: " + describe(e));
    }
  }

  private static BulkAnswer bulkAnswer(HttpResponse<byte[]> response, int items) {
    int status = response.statusCode();
    if (status != 200) {
      ErrorBody error = ErrorBodies.read(status, response.body());
      return switch (status) {
        case 404, 409, 421 -> new BulkAnswer.NotWritten(error);
        case 500, 502, 503, 504 ->
            new BulkAnswer.Unknown("the primary failed: " + error.type() + ": " + error.reason());
        default -> new BulkAnswer.Refused(error);
      };
    }
    List<WriteResult> results = BulkWire.decodeResults(response.body());
    return results.size() == items
        ? new BulkAnswer.Results(results)
        : new BulkAnswer.Unknown(results.size() + " results for " + items + " items");
  }

  private static ErrorBody unreachable(CopyAddress copy, Throwable failure) {
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
  public GetResult get(CopyAddress copy, DocumentCall call, Duration timeout)
      throws InterruptedException {
    StringBuilder query = new StringBuilder("/docs?id=").append(encoded(call.id()));
    query.append("&realtime=").append(call.realtime());
    for (String name : call.storedFields()) {
      query.append("&stored_field=").append(encoded(name));
    }
    return GetResultWire.decode(ask(copy, to(copy, query.toString(), timeout).GET()));
  }

  @Override
  public byte[] search(CopyAddress copy, SearchCall call, byte[] request, Duration timeout)
      throws InterruptedException {
    HttpRequest.Builder http = to(copy, path(call.step()), timeout);
    SearchCallWire.headers(call).forEach(http::header);
    return ask(copy, http.POST(BodyPublishers.ofByteArray(request)));
  }

  private static String path(SearchCall.Step step) {
    return switch (step) {
      case SearchCall.Step.Once _ -> "/search";
      case SearchCall.Step.CanMatch _ -> "/can-match";
      case SearchCall.Step.OpenPit _ -> "/open-reader";
      case SearchCall.Step.OpenScroll _ -> "/scroll";
      case SearchCall.Step.NextPage _ -> "/scroll-next";
      case SearchCall.Step.Explain(boolean rewritten) -> "/explain-query?rewritten=" + rewritten;
      case SearchCall.Step.Take(int count) -> "/scroll-take?count=" + count;
    };
  }

  @Override
  public long refresh(CopyAddress primary, Duration timeout) throws InterruptedException {
    byte[] answer = ask(primary, to(primary, "/refresh", timeout).POST(BodyPublishers.noBody()));
    return Json.mapper().readTree(answer).path("visible_seq_no").asLong(-1);
  }

  @Override
  public void awaitVisible(CopyAddress copy, long seqNo, Duration timeout)
      throws InterruptedException {
    String path = "/visible?seq_no=" + seqNo + "&timeout_millis=" + timeout.toMillis();
    ask(copy, to(copy, path, timeout).POST(BodyPublishers.noBody()));
  }

  @Override
  public void flush(CopyAddress copy, Duration timeout) throws InterruptedException {
    ask(copy, to(copy, "/flush", timeout).POST(BodyPublishers.noBody()));
  }

  @Override
  public void merge(CopyAddress copy, MergeWish wish, Duration timeout)
      throws InterruptedException {
    String path =
        "/merge?max_segments="
            + wish.maxSegments()
            + "&only_expunge_deletes="
            + wish.onlyExpungeDeletes()
            + "&flush="
            + wish.flush();
    ask(copy, to(copy, path, timeout).POST(BodyPublishers.noBody()));
  }

  @Override
  public void clearCaches(CopyAddress copy, Duration timeout) throws InterruptedException {
    ask(copy, to(copy, "/clear-cache", timeout).POST(BodyPublishers.noBody()));
  }

  @Override
  public CopyStats stats(CopyAddress copy, Duration timeout) throws InterruptedException {
    return Json.read(ask(copy, to(copy, "/stats", timeout).GET()), CopyStats.class);
  }

  @Override
  public CopySegments segments(CopyAddress copy, Duration timeout) throws InterruptedException {
    return Json.read(ask(copy, to(copy, "/segments", timeout).GET()), CopySegments.class);
  }

  @Override
  public CopyRecovery recovery(CopyAddress copy, Duration timeout) throws InterruptedException {
    return Json.read(ask(copy, to(copy, "/recovery", timeout).GET()), CopyRecovery.class);
  }

  private byte[] ask(CopyAddress copy, HttpRequest.Builder request) throws InterruptedException {
    HttpResponse<byte[]> response;
    try {
      response = http.send(request.build(), BodyHandlers.ofByteArray());
    } catch (IOException | UnresolvedAddressException e) {
      throw new UnreachableException(unreachable(copy, e).reason(), e);
    }
    if (response.statusCode() != 200) {
      throw new ApiException(ErrorBodies.read(response.statusCode(), response.body()));
    }
    return response.body();
  }

  private static HttpRequest.Builder to(CopyAddress copy, String path, Duration timeout) {
    String base =
        copy.node().url()
            + "/_internal/shards/"
            + copy.shard().indexUuid()
            + "/"
            + copy.shard().number();
    return HttpRequest.newBuilder(URI.create(base + path))
        .timeout(timeout.plus(GRACE))
        .header("Accept", JSON);
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
