package io.varve.coordinator.rest;

import io.varve.client.CopyAddress;
import io.varve.events.CopyProgress;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import io.varve.rpc.GetResult;
import io.varve.rpc.ProvenRecords;
import io.varve.rpc.RereplicationPage;
import io.varve.rpc.RereplicationPosition;
import io.varve.rpc.ShardReplication;
import io.varve.search.hits.ShardHit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Statistics, segments and recovery of a copy, with a fixed value in each field. */
final class SampleCopies {
  private SampleCopies() {}

  static CopyStats stats(CopyAddress copy, int documents, long seqNo) {
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
        new CopyStats.Contents(documents, 1, 2048, 3, 0, 0),
        CopyStats.Activity.NONE,
        new CopyStats.SeqNos(seqNo, seqNo, 0, 1),
        new CopyStats.Kept(
            CopyStats.Commit.NONE, "/data", null, CopyStats.Downloads.NONE, CopyStats.Copied.NONE));
  }

  static CopySegments segments(int documents) {
    return new CopySegments(
        List.of(
            new CopySegments.Segment(
                "_0",
                0,
                documents,
                1,
                2048,
                false,
                true,
                "10.6.0",
                true,
                Map.of("mode", "BEST_SPEED"),
                Map.of("_0.cfs", 2000L, "_0.si", 48L),
                null,
                new CopySegments.StoredFields("zstd", 3, "ab12", 500, 2000))));
  }

  static CopyRecovery recovery(CopyAddress copy) {
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

  static ShardHit hit(GetResult document) {
    return new ShardHit(
        document.id(),
        null,
        1f,
        List.of(),
        new ShardHit.Stamp(document.version(), document.seqNo(), document.primaryTerm()),
        document.source());
  }

  static ShardReplication replication() {
    return new ShardReplication(
        2,
        40,
        41,
        1,
        new ShardReplication.Counts(5, 6, 7, 8),
        List.of(new ShardReplication.Contradiction("d", 3, 1, "copy", "undecided")));
  }

  /** The answer to a step of a re-replication job that has nothing to do. */
  static RereplicationPage lastPage() {
    return new RereplicationPage(
        new RereplicationPosition(7, "run", 0, 0),
        0,
        0,
        RereplicationPage.Outcomes.NONE,
        null,
        null);
  }

  /** All records are proven. */
  static ProvenRecords proven(int records) {
    return new ProvenRecords(
        IntStream.range(0, records).boxed().toList(),
        new RereplicationPage.Proofs(records, 0, 0, 0),
        0);
  }
}
