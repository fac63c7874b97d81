package io.varve.node.http;

import io.varve.engine.SearchableCopy;
import io.varve.node.ShardCopy;
import io.varve.node.primary.PrimaryCopy;
import io.varve.rpc.ApiException;
import io.varve.rpc.BulkWire;
import io.varve.rpc.GetResultWire;
import io.varve.rpc.MergeWish;
import io.varve.rpc.ReplicateWire;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What a copy can be asked for, but its files. */
public final class CopyEndpoints {

  /** The header with which a caller bounds its wait. */
  public static final String TIMEOUT = "Varve-Timeout-Millis";

  private final long defaultTimeoutMillis;

  public CopyEndpoints(long defaultTimeoutMillis) {
    this.defaultTimeoutMillis = defaultTimeoutMillis;
  }

  public Map<String, ShardEndpoint> byName() {
    Map<String, ShardEndpoint> endpoints = new HashMap<>();
    endpoints.put("POST bulk", this::bulk);
    endpoints.put("GET docs", this::document);
    endpoints.put("POST refresh", this::refresh);
    endpoints.put("POST visible", this::visible);
    endpoints.put(
        "POST flush",
        (copy, _, _, response) -> {
          copy.flush();
          Bodies.sendJson(response, Map.of());
        });
    endpoints.put("POST merge", CopyEndpoints::merge);
    endpoints.put("GET stats", (copy, _, _, response) -> Bodies.sendJson(response, copy.stats()));
    endpoints.put(
        "GET recovery", (copy, _, _, response) -> Bodies.sendJson(response, copy.recovery()));
    endpoints.put(
        "GET segments",
        (copy, _, _, response) -> Bodies.sendJson(response, searchable(copy).segments()));
    endpoints.put("POST replicate", this::replicate);
    endpoints.put(
        "GET ccr-cursor",
        (copy, _, _, response) -> Bodies.sendJson(response, primary(copy).cursor()));
    return endpoints;
  }

  private void bulk(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    long term = Bodies.requiredLong(request, "term");
    PrimaryCopy primary = primary(copy);
    byte[] answer =
        BulkWire.encodeResults(
            primary.write(term, BulkWire.decodeItems(Bodies.read(request)), timeout(request)));
    Bodies.send(response, BulkWire.CONTENT_TYPE, answer);
  }

  private static void merge(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    copy.forceMerge(
        new MergeWish(
            (int) Bodies.longOr(request, "max_segments", MergeWish.AS_DUE),
            "true".equals(request.getParameter("only_expunge_deletes")),
            !"false".equals(request.getParameter("flush"))));
    Bodies.sendJson(response, Map.of());
  }

  private void document(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean realtime = !"false".equals(request.getParameter("realtime"));
    String[] names = request.getParameterValues("stored_field");
    Set<String> storedFields = names == null ? Set.of() : Set.of(names);
    byte[] answer =
        GetResultWire.encode(
            searchable(copy).get(Bodies.required(request, "id"), realtime, storedFields));
    Bodies.send(response, GetResultWire.CONTENT_TYPE, answer);
  }

  private void refresh(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    Bodies.sendJson(response, primary(copy).refresh(timeout(request)));
  }

  private record Visible(long visibleSeqNo) {}

  private void visible(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    long seqNo = Bodies.requiredLong(request, "seq_no");
    long millis = Bodies.longOr(request, "timeout_millis", defaultTimeoutMillis);
    copy.want(seqNo);
    if (!copy.visible().await(seqNo, Duration.ofMillis(millis))) {
      throw new ApiException(
          504,
          "visibility_timeout_exception",
          copy.shard()
              + " shows up to seq_no "
              + copy.visible().current()
              + ", not "
              + seqNo
              + ", after "
              + millis
              + " ms");
    }
    Bodies.sendJson(response, new Visible(copy.visible().current()));
  }

  private void replicate(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    long assignment = Bodies.requiredLong(request, "assignment");
    Bodies.sendJson(
        response,
        primary(copy)
            .replicate(assignment, ReplicateWire.decode(Bodies.read(request)), timeout(request)));
  }

  private Duration timeout(HttpServletRequest request) {
    String header = request.getHeader(TIMEOUT);
    return Duration.ofMillis(header == null ? defaultTimeoutMillis : Long.parseLong(header));
  }

  private static PrimaryCopy primary(ShardCopy copy) {
    if (copy instanceof PrimaryCopy primary) {
      return primary;
    }
    throw new ApiException(
        409, "stale_primary_exception", "this copy of " + copy.shard() + " is not its primary");
  }

  /** The readable side of a copy, or 503. */
  public static SearchableCopy searchable(ShardCopy copy) {
    return copy.searchable()
        .orElseThrow(() ->
            new ApiException(
                503,
                "no_shard_available_action_exception",
                "this copy of " + copy.shard() + " is " + copy.state()));
  }
}
