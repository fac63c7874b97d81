package io.varve.shard.replicated;

import io.varve.engine.SearchableCopy;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.ShardReplication;
import io.varve.rpc.ShardReplication.Contradiction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shows the replication states of the records of an open primary, and measures the duration of its
 * queries. Thread-safe.
 */
public final class ReplicationWatch {

  private final ReplicatedRecords records;
  private final UnreplicatedDocuments unreplicated;
  private final SearchableCopy copy;
  private final OffsetWatcher applied;
  private final ShardRereplication meter;
  private final InstantSource clock;
  private final Contradictions contradictions;
  private volatile @Nullable DigestAppeal appeal;
  private long countedChanges = -1;
  private long countedApplied = -1;
  private long countedGeneration = -1;
  private long counted;

  /**
   * @param applied the seq_no up to which the primary has applied everything
   */
  ReplicationWatch(
      ReplicatedRecords records,
      SearchableCopy copy,
      OffsetWatcher applied,
      ShardRereplication meter,
      InstantSource clock,
      Contradictions contradictions) {
    this.records = records;
    this.unreplicated = new UnreplicatedDocuments(records, copy::state);
    this.copy = copy;
    this.applied = applied;
    this.meter = meter;
    this.clock = clock;
    this.contradictions = contradictions;
  }

  /** Measures the duration of a query. */
  void asked(Confirmation question) {
    Instant began = clock.instant();
    var _ =
        question
            .outcome()
            .thenAccept(outcome ->
                meter.ended(outcome, Duration.between(began, clock.instant()).toNanos()));
  }

  void open() {
    meter.opened(this);
  }

  void close() {
    meter.closed(this);
  }

  /** The comparison with which the records of former primaries are proven. */
  void appeals(DigestAppeal begun) {
    appeal = begun;
  }

  /** Null unless records of former primaries are proven by comparing documents. */
  DigestAppeal.@Nullable Progress appeal() {
    DigestAppeal begun = appeal;
    return begun == null ? null : begun.progress();
  }

  List<Contradiction> contradictions() {
    return contradictions.list();
  }

  long exonerated() {
    return records.exonerated();
  }

  /**
   * The documents visible to searches that are in state 2 or 3. Counts them again only after a
   * change, because that reads all seq_nos.
   */
  synchronized long unreplicatedRecords() {
    if (!records.hasUnreplicated()) {
      return 0;
    }
    long changes = records.changes();
    long seqNo = applied.current();
    long generation = copy.generation();
    if (changes != countedChanges || seqNo != countedApplied || generation != countedGeneration) {
      counted = copy.count(unreplicated.now());
      countedChanges = changes;
      countedApplied = seqNo;
      countedGeneration = generation;
    }
    return counted;
  }

  /** The codes of the states of these versions, in order; see {@link ReplicationState}. */
  public List<Integer> states(List<Version> versions) {
    return versions.stream().map(version -> records.state(version).code()).toList();
  }

  public ShardReplication report() {
    RereplicationCounts counts = meter.counts();
    return new ShardReplication(
        records.openings().size() + 1,
        records.replicatedUpTo(),
        applied.current(),
        unreplicatedRecords(),
        new ShardReplication.Counts(
            counts.success(), counts.error(), counts.timeout(), meter.exonerated()),
        contradictions.list());
  }
}
