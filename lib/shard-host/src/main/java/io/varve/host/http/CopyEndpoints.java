package io.varve.host.http;

import io.varve.engine.SearchableCopy;
import io.varve.events.Operation;
import io.varve.host.ShardCopy;
import io.varve.host.primary.PrimaryCopy;
import io.varve.host.primary.WritePressure;
import io.varve.rpc.ApiException;
import io.varve.rpc.BulkWire;
import io.varve.rpc.DocumentsWire;
import io.varve.rpc.GetResult;
import io.varve.rpc.GetResultWire;
import io.varve.rpc.MergeWish;
import io.varve.rpc.ReadDemand;
import io.varve.rpc.ReplicateWire;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

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
    endpoints.put("GET docs", CopyEndpoints::document);
    endpoints.put("POST docs", CopyEndpoints::documents);
    endpoints.put("POST refresh", this::refresh);
    endpoints.put("POST visible", this::visible);
    endpoints.put("POST seal", this::seal);
    endpoints.put(
        "POST flush",
        (copy, _, _, response) -> {
          copy.flush();
          Bodies.sendJson(response, Map.of());
        });
    endpoints.put("POST merge", CopyEndpoints::merge);
    endpoints.put(
        "POST reencode",
        (copy, _, request, response) -> reencode(copy, request, response, () -> false));
    endpoints.put("GET stats", (copy, _, _, response) -> Bodies.sendJson(response, copy.stats()));
    endpoints.put(
        "GET durable",
        (copy, _, _, response) ->
            Bodies.sendJson(response, new DurableOffset(copy.copyId(), copy.durableOffset())));
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

  /** Ends early when it is to stop. */
  public static void reencode(
      ShardCopy copy,
      HttpServletRequest request,
      HttpServletResponse response,
      BooleanSupplier stop)
      throws IOException {
    Bodies.sendJson(
        response, copy.reencode(Bodies.requiredLong(request, "bytes_per_second"), stop));
  }

  private void bulk(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    long term = Bodies.requiredLong(request, "term");
    PrimaryCopy primary = primary(copy);
    try (WritePressure.Room room = admit(primary, request)) {
      List<WriteItem> items = BulkWire.decodeItems(Bodies.read(request));
      List<WriteResult> results = primary.write(term, items, room, timeout(request));
      Bodies.send(response, BulkWire.CONTENT_TYPE, BulkWire.encodeResults(results));
    }
  }

  /** A body that is refused is read all the same, and not kept: then its sender hears why. */
  private static WritePressure.Room admit(PrimaryCopy primary, HttpServletRequest request)
      throws IOException {
    try {
      return primary.admit(Math.max(0, request.getContentLengthLong()));
    } catch (ApiException e) {
      request.getInputStream().transferTo(OutputStream.nullOutputStream());
      throw e;
    }
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

  private static void document(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean realtime = realtime(copy, request);
    String[] names = request.getParameterValues("stored_field");
    Set<String> storedFields = names == null ? Set.of() : Set.of(names);
    byte[] answer =
        GetResultWire.encode(
            searchable(copy).get(Bodies.required(request, "id"), realtime, storedFields));
    Bodies.send(response, GetResultWire.CONTENT_TYPE, answer);
  }

  private static void documents(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean realtime = realtime(copy, request);
    SearchableCopy searchable = searchable(copy);
    List<GetResult> results = new ArrayList<>();
    for (DocumentsWire.Wanted wanted : DocumentsWire.decodeWanted(Bodies.read(request))) {
      results.add(searchable.get(wanted.id(), realtime, wanted.storedFields()));
    }
    Bodies.send(response, DocumentsWire.CONTENT_TYPE, DocumentsWire.encodeResults(results));
  }

  private static boolean realtime(ShardCopy copy, HttpServletRequest request) {
    boolean realtime = !"false".equals(request.getParameter("realtime"));
    if (realtime && copy instanceof PrimaryCopy primary) {
      primary.refuseWhenFencedOff();
    }
    return realtime;
  }

  private void refresh(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    Bodies.sendJson(response, primary(copy).refresh(timeout(request)));
  }

  private void seal(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    long version = Bodies.requiredLong(request, "cluster_version");
    Bodies.sendJson(response, primary(copy).seal(version, timeout(request)));
  }

  /** What the shard's primary asks before it truncates the log. */
  private record DurableOffset(String copyId, long nextOffset) {}

  private record Visible(long visibleSeqNo) {}

  private void visible(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    long seqNo = Bodies.requiredLong(request, "seq_no");
    if (request.getParameter("if_started") != null && copy.state() != ShardCopy.State.STARTED) {
      throw new ApiException(
          503,
          "no_shard_available_action_exception",
          "this copy of " + copy.shard() + " is " + copy.state());
    }
    long millis = Bodies.longOr(request, "timeout_millis", defaultTimeoutMillis);
    boolean hurry = !"false".equals(request.getParameter("hurry"));
    Duration timeout = Duration.ofMillis(millis);
    if (!(hurry ? copy.show(seqNo, timeout) : copy.visible().await(seqNo, timeout))) {
      throw new ApiException(ReadGate.late(copy, new ReadDemand(seqNo, -1, millis)));
    }
    Bodies.sendJson(response, new Visible(copy.visible().current()));
  }

  private void replicate(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    long assignment = Bodies.requiredLong(request, "assignment");
    PrimaryCopy primary = primary(copy);
    try (WritePressure.Room _ = admit(primary, request)) {
      List<Operation> operations = ReplicateWire.decode(Bodies.read(request));
      Bodies.sendJson(response, primary.replicate(assignment, operations, timeout(request)));
    }
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
