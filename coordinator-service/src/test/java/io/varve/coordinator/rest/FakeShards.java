package io.varve.coordinator.rest;

import io.varve.client.CallTerms;
import io.varve.client.CopyAddress;
import io.varve.client.SearchCall;
import io.varve.client.ShardClient;
import io.varve.process.Parallel;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import io.varve.rpc.DocumentsWire;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.GetResult;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.NodeLoad;
import io.varve.rpc.ProvenRecords;
import io.varve.rpc.ReadDemand;
import io.varve.rpc.Reencoded;
import io.varve.rpc.RereplicationPage;
import io.varve.rpc.ShardLeases;
import io.varve.rpc.ShardReplication;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.search.CanMatch;
import io.varve.search.ShardSearchResult;
import io.varve.search.hits.ShardHit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** In-memory copies that keep written documents and fail on request. */
public final class FakeShards implements ShardClient {

  private final FakeDocuments documents = new FakeDocuments();
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private volatile Consumer<BulkCall> onBulk = call -> {};
  private final Deque<BulkAnswer> scripted = new ArrayDeque<>();
  private final Map<String, RuntimeException> failing = new ConcurrentHashMap<>();
  private final Map<String, Long> lagging = new ConcurrentHashMap<>();
  private final Map<String, Runnable> before = new ConcurrentHashMap<>();
  private volatile Function<CopyAddress, Reencoded> reencoding = copy -> Reencoded.NOTHING;
  private volatile BiFunction<CopyAddress, RereplicateCall, RereplicationPage> rereplicating =
      (copy, call) -> SampleCopies.lastPage();
  private volatile BiFunction<CopyAddress, List<HoldsWire.Version>, ProvenRecords> proving =
      (copy, versions) -> SampleCopies.proven(versions.size());
  private volatile Runnable beforeLook = () -> {};
  private final Map<String, Double> slowness = new ConcurrentHashMap<>();
  private volatile long workNanos = 1_000_000;
  private final List<Long> keepAlives = new CopyOnWriteArrayList<>();
  private final List<ReadDemand> demands = new CopyOnWriteArrayList<>();

  /** The copies that do not answer. */
  public final HangingCopies hanging = new HangingCopies();

  /** The holder of the one lease on each shard. */
  public volatile String leaseHolder = "follower";

  /** Sets the response of copies to a request to re-encode a segment. */
  public void reencoding(Function<CopyAddress, Reencoded> work) {
    reencoding = work;
  }

  /** Runs {@code work} at the start of every search of the copy. */
  public void before(String copyId, Runnable work) {
    before.put(copyId, work);
  }

  /** Runs {@code work} at the start of every can-match request. */
  public void beforeLook(Runnable work) {
    beforeLook = work;
  }

  /** The duration of searches that nodes report. */
  public void workMillis(int millis) {
    workNanos = millis * 1_000_000L;
    slowness(FakeCluster.PRIMARY_NODE, 1);
    slowness(FakeCluster.REPLICA_NODE, 1);
  }

  /** The slowness that the node reports with each answer. */
  public void slowness(String nodeId, double factor) {
    slowness.put(nodeId, factor);
  }

  private void say(CopyAddress copy, SearchCall call) {
    CallTerms.Trial trial = call.terms().trial();
    Double factor = slowness.get(copy.node().nodeId());
    if (trial != null && factor != null) {
      trial
          .heard()
          .accept(
              new NodeLoad(
                  (long) (workNanos * factor),
                  new NodeLoad.Queue(0, 0, 4),
                  new NodeLoad.Times((long) (workNanos * factor), factor, 100, 0)));
    }
  }

  /** Observes each bulk before it is answered. */
  public void onBulk(Consumer<BulkCall> observer) {
    onBulk = observer;
  }

  /** Sets the answer to the next bulk, which writes nothing. */
  public synchronized void nextBulk(BulkAnswer answer) {
    scripted.add(answer);
  }

  /** Makes every call to the copy fail in this way. */
  public void fail(String copyId, RuntimeException failure) {
    failing.put(copyId, failure);
  }

  /** Ends the failures of the copy. */
  public void heal(String copyId) {
    failing.remove(copyId);
  }

  /** The copy shows operations up to this seq_no only, and cannot satisfy staleness bounds. */
  public void lag(String copyId, long seqNo) {
    lagging.put(copyId, seqNo);
  }

  private void demanded(CopyAddress copy, ReadDemand demand) {
    demands.add(demand);
    Long shown = lagging.get(copy.copy().copyId());
    if (shown != null && (demand.seqNo() > shown || demand.maxStalenessMillis() >= 0)) {
      throw late(shown);
    }
  }

  private static ApiException late(long shown) {
    return new ApiException(
        ErrorBody.of(504, ReadDemand.TIMEOUT_TYPE, "shows " + shown).with("visible_seq_no", shown));
  }

  /** The requested keep-alives of scrolls and points in time. */
  public List<Long> keepAlives() {
    return keepAlives;
  }

  /** The number of documents. */
  public int documents() {
    return documents.count();
  }

  /** The demands of reads. */
  public List<ReadDemand> demands() {
    return demands;
  }

  /** The calls so far, as {@code call copyId}. */
  public List<String> calls() {
    return calls;
  }

  private void called(String call, CopyAddress copy) {
    calls.add(call + " " + copy.copy().copyId());
    RuntimeException failure = failing.get(copy.copy().copyId());
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public BulkAnswer bulk(CopyAddress primary, BulkCall call, Duration timeout) {
    HangingCopies.Hang hang = hanging.of(primary);
    if (hang != null && hang.executesWrites()) {
      var _ = answer(primary, call);
    }
    called("bulk", primary);
    return hang == null
        ? answer(primary, call)
        : hang.awaitEnd(call.abort(), timeout)
            .orElseGet(() -> new BulkAnswer.Unknown("no answer", false));
  }

  /** Each bulk is answered for itself, as nodes do. */
  @Override
  public void bulks(List<BulkPart> parts, Duration timeout, BulkAnswers answers)
      throws InterruptedException {
    calls.add("bulks " + parts.size());
    try (Parallel parallel = new Parallel()) {
      parallel.map(
          IntStream.range(0, parts.size()).boxed().toList(),
          part -> {
            BulkPart bulk = parts.get(part);
            answers.answered(part, bulk(bulk.primary(), bulk.call(), timeout));
            return part;
          });
    }
  }

  private synchronized BulkAnswer answer(CopyAddress primary, BulkCall call) {
    onBulk.accept(call);
    BulkAnswer answer = scripted.poll();
    if (answer != null) {
      return answer;
    }
    List<WriteResult> results = new ArrayList<>();
    for (WriteItem item : call.items()) {
      results.add(documents.write(primary.shard(), item, call.term()));
    }
    return new BulkAnswer.Results(results);
  }

  /** Changes a document, or deletes it if {@code change} returns null. */
  public synchronized void change(String id, UnaryOperator<@Nullable GetResult> change) {
    documents.change(id, change);
  }

  @Override
  public List<DocumentsWire.Result> get(CopyAddress copy, DocumentsCall call, Duration timeout) {
    called("get", copy);
    HangingCopies.Hang hang = hanging.of(copy);
    if (hang != null) {
      var _ = hang.awaitEnd(call.abort(), timeout);
      throw new UnreachableException("no answer", new IOException("no answer"));
    }
    demanded(copy, call.demand());
    return call.documents().stream()
        .map(wanted -> documents.get(copy.shard(), wanted.id()))
        .<DocumentsWire.Result>map(DocumentsWire.Result.Read::new)
        .toList();
  }

  @Override
  public byte[] search(CopyAddress copy, SearchCall call, byte[] request, Duration timeout) {
    if (call.step() instanceof SearchCall.Step.CanMatch) {
      called("can-match", copy);
      beforeLook.run();
      return new CanMatch(true, null).toBytes();
    }
    called("search", copy);
    before.getOrDefault(copy.copy().copyId(), () -> {}).run();
    demanded(copy, call.demand());
    say(copy, call);
    SearchCall.Context context = call.context();
    if (context != null) {
      keepAlives.add(context.keepAliveMillis());
    }
    List<ShardHit> hits = documents.of(copy.shard()).stream().map(SampleCopies::hit).toList();
    return new ShardSearchResult(
            hits.size(),
            true,
            1f,
            hits,
            ShardSearchResult.Cut.NOTHING,
            lagging.getOrDefault(copy.copy().copyId(), documents.maxSeqNo()),
            1)
        .toBytes();
  }

  @Override
  public long refresh(CopyAddress primary, Duration timeout) {
    called("refresh", primary);
    return documents.maxSeqNo();
  }

  @Override
  public long seal(CopyAddress primary, long clusterVersion, Duration timeout) {
    called("seal", primary);
    return documents.maxSeqNo();
  }

  @Override
  public void awaitVisible(CopyAddress copy, long wanted, boolean hurry, Duration timeout) {
    called("visible>=" + wanted + (hurry ? " now" : ""), copy);
    Long shown = lagging.get(copy.copy().copyId());
    if (shown != null && shown < wanted) {
      throw late(shown);
    }
  }

  @Override
  public void flush(CopyAddress copy, Duration timeout) {
    called("flush", copy);
  }

  @Override
  public void merge(
      CopyAddress copy, ForceMergeRequest request, long clusterVersion, Duration timeout) {
    called("merge", copy);
  }

  @Override
  public Reencoded reencode(
      CopyAddress copy, String task, long clusterVersion, long bytesPerSecond, Duration timeout) {
    called("reencode at " + bytesPerSecond, copy);
    return reencoding.apply(copy);
  }

  @Override
  public void clearCaches(CopyAddress copy, Map<String, String> which, Duration timeout) {
    called("clear", copy);
  }

  @Override
  public CopyStats stats(CopyAddress copy, Duration timeout) {
    called("stats", copy);
    return SampleCopies.stats(copy, documents.of(copy.shard()).size(), documents.maxSeqNo());
  }

  @Override
  public ShardLeases leases(CopyAddress copy, Duration timeout) {
    called("leases", copy);
    return new ShardLeases(List.of(new ShardLeases.Lease(leaseHolder, 7, 1_000)));
  }

  @Override
  public ShardReplication replication(CopyAddress primary, Duration timeout) {
    called("replication", primary);
    return SampleCopies.replication();
  }

  @Override
  public List<Integer> replicationStates(
      CopyAddress primary, List<HoldsWire.Version> versions, Duration timeout) {
    called("replication-states", primary);
    return versions.stream().map(version -> version.seqNo() % 2 == 0 ? 0 : 3).toList();
  }

  /** Sets the answers of primaries to the steps of re-replication jobs. */
  public void rereplicating(BiFunction<CopyAddress, RereplicateCall, RereplicationPage> work) {
    rereplicating = work;
  }

  @Override
  public RereplicationPage rereplicate(
      CopyAddress primary, RereplicateCall call, Duration timeout) {
    called(call.step(), primary);
    return rereplicating.apply(primary, call);
  }

  /** Sets the answers of primaries to the proofs of re-replication jobs. */
  public void proving(BiFunction<CopyAddress, List<HoldsWire.Version>, ProvenRecords> work) {
    proving = work;
  }

  @Override
  public ProvenRecords prove(
      CopyAddress primary, String job, List<HoldsWire.Version> versions, Duration timeout) {
    called("prove", primary);
    return proving.apply(primary, versions);
  }

  @Override
  public CopySegments segments(CopyAddress copy, Duration timeout) {
    called("segments", copy);
    return SampleCopies.segments(documents.of(copy.shard()).size());
  }

  @Override
  public CopyRecovery recovery(CopyAddress copy, Duration timeout) {
    called("recovery", copy);
    return SampleCopies.recovery(copy);
  }
}
