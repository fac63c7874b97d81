package io.varve.host.http;

import io.varve.engine.Searchable;
import io.varve.engine.SearchableCopy;
import io.varve.host.ShardCopy;
import io.varve.host.reading.HeldVersions;
import io.varve.host.reading.StrongReads;
import io.varve.http.internal.Bodies;
import io.varve.rpc.ApiException;
import io.varve.rpc.DocumentsWire;
import io.varve.rpc.DocumentsWire.Result;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.GetResult;
import io.varve.rpc.GetResultWire;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.ReadDemand;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** The endpoints of every kind of copy, except those for its files. */
public final class CopyEndpoints implements ShardEndpoints {

  private final long defaultTimeoutMillis;
  private final LongSupplier nanos;

  /**
   * @param nanos a monotonic clock
   */
  public CopyEndpoints(long defaultTimeoutMillis, LongSupplier nanos) {
    this.defaultTimeoutMillis = defaultTimeoutMillis;
    this.nanos = nanos;
  }

  @Override
  public Map<String, ShardEndpoint> byName() {
    Map<String, ShardEndpoint> endpoints = new HashMap<>();
    endpoints.put("GET docs", CopyEndpoints::document);
    endpoints.put("POST docs", CopyEndpoints::documents);
    endpoints.put("POST visible", this::visible);
    endpoints.put("POST holds", CopyEndpoints::holds);
    endpoints.put("POST digest", DigestEndpoint::answer);
    endpoints.put("POST versions", DigestEndpoint::versions);
    endpoints.put("POST check-files", DigestEndpoint::checkFiles);
    endpoints.put("POST admit", CopyEndpoints::admit);
    endpoints.put("POST contradicted", CopyEndpoints::contradicted);
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
    return endpoints;
  }

  /** Ends early if the request is cancelled. */
  public static void reencode(
      ShardCopy copy,
      HttpServletRequest request,
      HttpServletResponse response,
      BooleanSupplier stop)
      throws IOException {
    Bodies.sendJson(
        response, copy.reencode(Bodies.requiredLong(request, "bytes_per_second"), stop));
  }

  private static void merge(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    copy.forceMerge(
        new ForceMergeRequest(
            (int) Bodies.longOr(request, "max_segments", ForceMergeRequest.AS_DUE),
            "true".equals(request.getParameter("only_expunge_deletes")),
            !"false".equals(request.getParameter("flush"))));
    Bodies.sendJson(response, Map.of());
  }

  private static void document(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    String[] names = request.getParameterValues("stored_field");
    Set<String> storedFields = names == null ? Set.of() : Set.of(names);
    DocumentsWire.Wanted wanted =
        new DocumentsWire.Wanted(Bodies.required(request, "id"), storedFields);
    GetResult result =
        switch (read(copy, request, List.of(wanted)).getFirst()) {
          case Result.Read(var read) -> read;
          case Result.Failed(var error) -> throw new ApiException(error);
        };
    Bodies.send(response, GetResultWire.CONTENT_TYPE, GetResultWire.encode(result));
  }

  private static void documents(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    List<Result> results = read(copy, request, DocumentsWire.decodeWanted(Bodies.read(request)));
    boolean itemErrors = "true".equals(request.getParameter(DocumentsWire.ITEM_ERRORS));
    failedAsAWhole(results, itemErrors)
        .ifPresent(error -> {
          throw new ApiException(error);
        });
    Bodies.send(response, DocumentsWire.CONTENT_TYPE, DocumentsWire.encodeResults(results));
  }

  /**
   * If no document could be read, the request fails, because another copy may be able to read them.
   */
  private static Optional<ErrorBody> failedAsAWhole(List<Result> results, boolean itemErrors) {
    List<ErrorBody> errors = new ArrayList<>();
    for (Result result : results) {
      if (result instanceof Result.Failed(var error)) {
        errors.add(error);
      }
    }
    boolean asAWhole = !itemErrors || errors.size() == results.size();
    return asAWhole ? errors.stream().findFirst() : Optional.empty();
  }

  private static List<Result> read(
      ShardCopy copy, HttpServletRequest request, List<DocumentsWire.Wanted> documents)
      throws InterruptedException {
    boolean realtime = realtime(copy, request);
    if (realtime && copy.strong()) {
      return strongReads(copy)
          .get(documents, Duration.ofMillis(ReadGate.demand(copy, request, true).waitMillis()));
    }
    SearchableCopy searchable = searchable(copy);
    List<Result> results = new ArrayList<>();
    for (DocumentsWire.Wanted wanted : documents) {
      results.add(new Result.Read(searchable.get(wanted.id(), realtime, wanted.storedFields())));
    }
    return results;
  }

  private static StrongReads strongReads(ShardCopy copy) {
    StrongReads reads = copy.strongReads();
    if (reads == null) {
      throw new ApiException(
          503,
          ReadDemand.NOT_STARTED_TYPE,
          "copy %s of %s is not an open primary, and the index is strongly consistent"
              .formatted(copy.copyId(), copy.shard()));
    }
    return reads;
  }

  /**
   * A primary asks which versions this copy holds. Answers once the copy has reached the position,
   * or the time is over.
   */
  private static void holds(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    HoldsWire.Question question = HoldsWire.decodeQuestion(Bodies.read(request));
    requireStarted(copy);
    copy.readable().await(question.seqNo(), Duration.ofMillis(question.waitMillis()));
    SearchableCopy searchable = searchable(copy);
    HoldsWire.Answer answer =
        HeldVersions.answer(
            question.versions(),
            new HeldVersions.Holder(
                copy.copyId(),
                copy.incarnation(),
                copy::term,
                copy.readable()::current,
                searchable::state));
    Bodies.send(response, HoldsWire.CONTENT_TYPE, HoldsWire.encode(answer));
  }

  /** Refuses requests that a copy can answer only after its start. */
  static void requireStarted(ShardCopy copy) {
    if (copy.state() != ShardCopy.State.STARTED) {
      throw new ApiException(
          503,
          ReadDemand.NOT_STARTED_TYPE,
          "copy %s of %s is %s".formatted(copy.copyId(), copy.shard(), copy.state()));
    }
  }

  /** The requirement of a primary on a copy that is about to start. */
  private record Admitted(long term, long seqNo) {}

  private static void admit(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    long seqNo =
        strongReads(copy)
            .admit(Bodies.required(request, "copy_id"), Bodies.required(request, "incarnation"));
    Bodies.sendJson(response, new Admitted(copy.term(), seqNo));
  }

  /** A primary found, with the log, that this copy has another version of a document. */
  private static void contradicted(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String copyId = Bodies.required(request, "copy_id");
    String incarnation = Bodies.required(request, "incarnation");
    String reason = Bodies.required(request, "reason");
    if (!copyId.equals(copy.copyId()) || !incarnation.equals(copy.incarnation())) {
      throw new ApiException(
          409,
          "illegal_state_exception",
          "copy %s of %s is not the copy in the request".formatted(copy.copyId(), copy.shard()));
    }
    copy.contradicted(reason);
    Bodies.sendJson(response, Map.of());
  }

  private static boolean realtime(ShardCopy copy, HttpServletRequest request) {
    boolean realtime = !"false".equals(request.getParameter("realtime"));
    if (realtime) {
      copy.refuseWhenFencedOff();
    }
    return realtime;
  }

  /** Requested by the shard's primary before it truncates the log. */
  private record DurableOffset(String copyId, long nextOffset) {}

  private record Visible(long visibleSeqNo) {}

  /**
   * Waits until the copy shows {@code seq_no}. With {@code if_started}, a copy that is not started
   * refuses immediately: what it must show before its start is determined after this answer.
   */
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
    long deadlineNanos = nanos.getAsLong() + timeout.toNanos();
    if (!(hurry ? copy.show(seqNo, timeout) : copy.visible().await(seqNo, timeout))) {
      throw new ApiException(ReadGate.late(copy, new ReadDemand(seqNo, -1, millis)));
    }
    StrongReads strong = copy.strongReads();
    Duration left = Duration.ofNanos(Math.max(0, deadlineNanos - nanos.getAsLong()));
    if (strong != null && !strong.awaitHeldByAll(seqNo, left)) {
      throw new ApiException(ReadGate.late(copy, new ReadDemand(seqNo, -1, millis)));
    }
    Bodies.sendJson(response, new Visible(copy.visible().current()));
  }

  /** The searchable content of a copy; throws 503 if there is none. */
  public static SearchableCopy searchable(ShardCopy copy) {
    return copy.searchable().orElseThrow(() -> notOpen(copy));
  }

  /** The content that searches read; throws 503 if there is none. */
  public static Searchable searched(ShardCopy copy) {
    return copy.searched().orElseThrow(() -> notOpen(copy));
  }

  private static ApiException notOpen(ShardCopy copy) {
    return new ApiException(
        503,
        "no_shard_available_action_exception",
        "this copy of " + copy.shard() + " is " + copy.state());
  }
}
