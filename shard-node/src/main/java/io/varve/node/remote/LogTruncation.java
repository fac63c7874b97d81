package io.varve.node.remote;

import io.varve.cluster.IndexSettings;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.RetentionPlanner;
import io.varve.node.CopyContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgets operations that the segment store has held for long enough, if the index says so. Only
 * the shard's primary does, under its claim: whoever takes over begins at what is stored, and so
 * needs nothing before it. Clusters that follow keep what they need by leases. Used by one thread
 * at a time.
 */
final class LogTruncation {

  private static final Logger LOG = LoggerFactory.getLogger(LogTruncation.class);
  private static final RetentionPlanner PLANNER = new RetentionPlanner(0, 1_000);

  private record Stored(long nextOffset, long atMillis) {}

  private final CopyContext context;
  private final TermClaim claim;
  private final LongSupplier committedOffset;
  private final long graceMillis;
  private final Deque<Stored> stored = new ArrayDeque<>();
  private final FollowerNeeds followers = new FollowerNeeds();
  private long manifestsReadTo;
  private long storedOffset = -1;

  /**
   * @param committedOffset from which this primary would replay after a restart
   * @param graceMillis for how long operations stay after they were stored: for copies that are a
   *     little behind and replay sooner than they copy
   */
  LogTruncation(
      CopyContext context, TermClaim claim, LongSupplier committedOffset, long graceMillis) {
    this.context = context;
    this.claim = claim;
    this.committedOffset = committedOffset;
    this.graceMillis = graceMillis;
  }

  /** Everything before that offset is in the store from now on. */
  void stored(long nextOffset, long nowMillis) {
    stored.addLast(new Stored(nextOffset, nowMillis));
  }

  void run(long nowMillis) throws LogException {
    for (Stored oldest = stored.peekFirst();
        oldest != null && nowMillis - oldest.atMillis() >= graceMillis;
        oldest = stored.peekFirst()) {
      storedOffset = oldest.nextOffset();
      stored.removeFirst();
    }
    if (storedOffset < 0 || !IndexSettings.forgetsStoredOperations(context.index().settings())) {
      return;
    }
    PartitionLog operations = context.operations();
    readLeases();
    long periodMillis = IndexSettings.leasePeriodMillis(context.index().settings());
    List<RetentionPlanner.Need> needs = new ArrayList<>(followers.at(nowMillis, periodMillis));
    needs.add(new RetentionPlanner.Need("the segment store", storedOffset));
    needs.add(new RetentionPlanner.Need("the primary", committedOffset.getAsLong()));
    RetentionPlanner.Plan plan =
        PLANNER.plan(operations.startOffset(), operations.endOffset(), needs);
    if (plan instanceof RetentionPlanner.Plan.ForgetBefore(long offset) && claim.isHighest()) {
      operations.truncateBefore(offset);
      LOG.info("{} forgets the operations before offset {}", context.shard(), offset);
    }
  }

  /** Those of all holders: the topic keeps the newest record of each. */
  private void readLeases() throws LogException {
    PartitionLog manifests = context.manifests();
    long end = manifests.endOffset();
    manifests.read(
        Math.max(manifestsReadTo, manifests.startOffset()),
        end,
        stored -> followers.read(ManifestLog.decode(stored), stored.timestampMillis()));
    manifestsReadTo = end;
  }
}
