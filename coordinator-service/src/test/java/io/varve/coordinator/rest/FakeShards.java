package io.varve.coordinator.rest;

import io.varve.coordinator.rest.shard.CopyAddress;
import io.varve.coordinator.rest.shard.SearchCall;
import io.varve.coordinator.rest.shard.ShardClient;
import io.varve.events.CopyProgress;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import io.varve.rpc.GetResult;
import io.varve.rpc.MergeWish;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.search.ShardHit;
import io.varve.search.ShardSearchResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Copies in memory that keep what is written, and fail as they are told. */
public final class FakeShards implements ShardClient {

  private final Map<String, GetResult> documents = new ConcurrentHashMap<>();
  private final AtomicLong seqNo = new AtomicLong(-1);
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final Deque<BulkAnswer> scripted = new ArrayDeque<>();
  private final Map<String, RuntimeException> failing = new ConcurrentHashMap<>();

  /** The next bulk is answered so, and nothing is written. */
  public synchronized void nextBulk(BulkAnswer answer) {
    scripted.add(answer);
  }

  /** Every call to the copy fails so. */
  public void fail(String copyId, RuntimeException failure) {
    failing.put(copyId, failure);
  }

  /** What was called, as {@code call copyId}. */
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
  public synchronized BulkAnswer bulk(
      CopyAddress primary, long term, List<WriteItem> items, Duration timeout) {
    called("bulk", primary);
    BulkAnswer answer = scripted.poll();
    if (answer != null) {
      return answer;
    }
    List<WriteResult> results = new ArrayList<>();
    for (WriteItem item : items) {
      results.add(write(item, term));
    }
    return new BulkAnswer.Results(results);
  }

  private WriteResult write(WriteItem item, long term) {
    GetResult old = documents.get(item.id());
    boolean delete = item.kind() == WriteItem.Kind.DELETE;
    long version = old == null ? 1 : old.version() + 1;
    long next = seqNo.incrementAndGet();
    if (delete) {
      documents.remove(item.id());
    } else {
      byte[] source = item.bodyBytes();
      documents.put(
          item.id(), new GetResult(true, item.id(), item.routing(), version, next, term, source));
    }
    String word =
        delete ? (old == null ? "not_found" : "deleted") : old == null ? "created" : "updated";
    return new WriteResult.Done(word, next, term, version);
  }

  @Override
  public GetResult get(CopyAddress copy, DocumentCall call, Duration timeout) {
    called("get", copy);
    return documents.getOrDefault(call.id(), GetResult.missing(call.id()));
  }

  @Override
  public byte[] search(CopyAddress copy, SearchCall call, byte[] request, Duration timeout) {
    called("search", copy);
    List<ShardHit> hits =
        documents.values().stream()
            .map(d ->
                new ShardHit(
                    d.id(),
                    null,
                    1f,
                    List.of(),
                    new ShardHit.Stamp(d.version(), d.seqNo(), d.primaryTerm()),
                    d.source()))
            .toList();
    return new ShardSearchResult(
            hits.size(), true, 1f, hits, ShardSearchResult.Cut.NOTHING, seqNo.get(), 1)
        .toBytes();
  }

  @Override
  public long refresh(CopyAddress primary, Duration timeout) {
    called("refresh", primary);
    return seqNo.get();
  }

  @Override
  public void awaitVisible(CopyAddress copy, long wanted, Duration timeout) {
    called("visible>=" + wanted, copy);
  }

  @Override
  public void flush(CopyAddress copy, Duration timeout) {
    called("flush", copy);
  }

  @Override
  public void merge(CopyAddress copy, MergeWish wish, Duration timeout) {
    called("merge", copy);
  }

  @Override
  public void clearCaches(CopyAddress copy, Duration timeout) {
    called("clear", copy);
  }

  @Override
  public CopyStats stats(CopyAddress copy, Duration timeout) {
    called("stats", copy);
    CopyProgress progress =
        new CopyProgress(
            copy.copy().copyId(),
            copy.shard(),
            copy.node().nodeId(),
            copy.copy().primary(),
            "STARTED",
            1,
            1,
            1,
            1,
            1,
            0,
            0,
            0,
            0,
            0,
            0,
            0);
    return new CopyStats(
        progress,
        new CopyStats.Contents(documents.size(), 1, 2048, 3, 0, 0),
        CopyStats.Activity.NONE,
        new CopyStats.SeqNos(seqNo.get(), seqNo.get(), 0, 1),
        CopyStats.Commit.NONE,
        "/data");
  }

  @Override
  public CopySegments segments(CopyAddress copy, Duration timeout) {
    called("segments", copy);
    return new CopySegments(
        List.of(
            new CopySegments.Segment(
                "_0",
                0,
                documents.size(),
                1,
                2048,
                false,
                true,
                "10.6.0",
                true,
                Map.of("mode", "BEST_SPEED"),
                Map.of("_0.cfs", 2000L, "_0.si", 48L),
                null)));
  }

  @Override
  public CopyRecovery recovery(CopyAddress copy, Duration timeout) {
    called("recovery", copy);
    boolean primary = copy.copy().primary();
    return new CopyRecovery(
        copy.shard(),
        copy.copy().copyId(),
        primary,
        primary ? "EMPTY_STORE" : "PEER",
        "DONE",
        new CopyRecovery.Times(1_700_000_000_000L, 1_700_000_000_120L, 80, 0, 20),
        primary ? null : FakeCluster.PRIMARY_NODE,
        primary
            ? List.of()
            : List.of(
                new CopyRecovery.File("_0.cfs", 2000, 2000, false),
                new CopyRecovery.File("_0.si", 48, 48, true)),
        3);
  }
}
