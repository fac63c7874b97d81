package io.varve.ccr;

import io.varve.events.Manifest;
import io.varve.events.RecordDigest;
import io.varve.events.StoredManifest;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.BootstrapWire;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bootstraps an empty primary of a follower: tells it whether to replay the leader's log or to copy
 * a manifest's files, and renews the lease on the leader's log meanwhile.
 *
 * <pre>
 *   the primary awaits a plan   take the lease at the manifest's position, bring the mapping up to
 *                               the leader's, send the plan
 *   the primary copies          renew the lease
 *   the primary has finished    end: the pull renews the lease from the cursor on
 * </pre>
 *
 * If a plan fails because the leader does not answer or has replaced the manifest, the next plan
 * names the newest manifest. {@link BootstrapDecision} chooses between replay and copy. Used by one
 * thread.
 */
final class Bootstrap {

  private static final Logger LOG = LoggerFactory.getLogger(Bootstrap.class);
  private static final int SAMPLED_RECORDS = 64;
  private static final long POLL_MILLIS = 200;
  private static final Duration REPLICATED_WITHIN = Duration.ofSeconds(30);
  private static final long MOST_PAUSE_MILLIS = 30_000;

  private final Pull.Shard shard;
  private final ShardPuller.Leader leader;

  /** Plans that failed, for the pause before the next one. */
  private int failedPlans;

  private long pauseMillis = POLL_MILLIS;

  Bootstrap(Pull.Shard shard, ShardPuller.Leader leader) {
    this.shard = shard;
    this.leader = leader;
  }

  /**
   * Sends a plan or renews the lease, whichever the primary needs now; returns false if the primary
   * awaits no plan or does not answer.
   */
  boolean step() throws Exception {
    BootstrapWire.Status status = shard.primary().bootstrap().orElse(BootstrapWire.Status.BEGUN);
    switch (status.state()) {
      case BEGUN -> {
        return false;
      }
      case AWAITED -> plan(status);
      case COPYING -> {
        pauseMillis = POLL_MILLIS;
        var _ = leader.lease().renew(status.leaderOffset(), shard.clock().millis());
      }
    }
    shard.progress().bootstrapping(status);
    return true;
  }

  /** The pause before the next step; it grows with each plan that failed. */
  long pauseMillis() {
    return pauseMillis;
  }

  private void plan(BootstrapWire.Status status) throws Exception {
    if (!status.reason().isEmpty()) {
      failedPlans++;
      pauseMillis = Math.min(MOST_PAUSE_MILLIS, POLL_MILLIS << Math.min(failedPlans, 10));
      LOG.info("{} decides again how to start: {}", shard.progress().shard(), status.reason());
    }
    PartitionLog log = leader.partition();
    ManifestLog.Newest newest = leader.segments().newest();
    Manifest manifest = newest.published();
    // Taken before the log's start is read, so the records after the manifest can't be truncated in
    // between.
    long keptOffset = manifest == null ? 0 : Math.max(0, manifest.nextOffset() - 1);
    var _ = leader.lease().renew(keptOffset, shard.clock().millis());
    if (!leader.lease().isActive()) {
      throw new IOException(leader.lease().withRefusal("the lease could not be taken"));
    }
    BootstrapWire.Plan plan =
        switch (BootstrapDecision.decide(read(log), manifest, status.mustCopy())) {
          case BootstrapDecision.Choice.Replay _ -> BootstrapWire.Plan.REPLAY;
          case BootstrapDecision.Choice.Copy(Manifest chosen) -> copy(chosen, newest.stored());
          case BootstrapDecision.Choice.Impossible(String reason) -> throw new IOException(reason);
        };
    shard.primary().begin(shard.follow().assignment(), plan);
  }

  private BootstrapWire.Plan copy(Manifest manifest, @Nullable StoredManifest stored)
      throws Exception {
    PartitionLog published = leader.replicated();
    if (published != null) {
      ReplicatedOperations.awaitEnd(published, leader.partition(), REPLICATED_WITHIN);
    }
    shard.mapping().upTo(leader.segments().mappingVersion());
    boolean inStore =
        stored != null && manifest.files().stream().allMatch(file -> stored.placeOf(file) != null);
    LOG.info(
        "{} starts with generation {} of term {} of the leader, {} bytes",
        shard.progress().shard(),
        manifest.generation(),
        manifest.term(),
        manifest.totalBytes());
    return new BootstrapWire.Plan(
        manifest,
        inStore ? stored : null,
        leader.segments().url(manifest.nodeId()).orElse(null),
        digestBefore(manifest.nextOffset()));
  }

  /** The bounds of the leader's log; record sizes are estimated from some records at its start. */
  private static BootstrapDecision.LeaderLog read(PartitionLog log) throws LogException {
    long start = log.startOffset();
    long end = Math.min(log.endOffset(), start + SAMPLED_RECORDS);
    long[] bytes = {0};
    log.read(start, end, stored -> bytes[0] += stored.record().sizeBytes());
    return new BootstrapDecision.LeaderLog(start, bytes[0] / Math.max(1, end - start));
  }

  /**
   * The digest of the last record that the manifest contains; unknown if retention has removed it.
   */
  private long digestBefore(long nextOffset) throws LogException {
    PartitionLog log = leader.partition();
    long[] digest = {RecordDigest.UNKNOWN};
    if (nextOffset > log.startOffset() && nextOffset <= log.endOffset()) {
      log.read(nextOffset - 1, nextOffset, stored -> digest[0] = RecordDigest.of(stored));
    }
    return digest[0];
  }
}
