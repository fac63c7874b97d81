package io.varve.ccr;

import io.varve.ccr.BootstrapSchedule.Step;
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
 * Bootstraps an empty primary of a follower: performs the steps of a {@link BootstrapSchedule}. It
 * tells the primary whether to replay the leader's log or to copy a manifest's files, and meanwhile
 * renews the lease on the leader's log.
 *
 * <p>If a plan fails because the leader does not answer or has replaced the manifest, the next plan
 * names the newest manifest. Used by one thread.
 */
final class Bootstrap {

  private static final Logger LOG = LoggerFactory.getLogger(Bootstrap.class);
  private static final int SAMPLED_RECORDS = 64;
  private static final long POLL_MILLIS = 200;
  private static final Duration REPLICATED_WITHIN = Duration.ofSeconds(30);
  private static final long MOST_PAUSE_MILLIS = 30_000;

  private final Pull.Shard shard;
  private final ShardPuller.Leader leader;

  /** The newest manifest whose files are in the leader's segment store. */
  private @Nullable StoredManifest stored;

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
    note(status);
    BootstrapSchedule schedule = new BootstrapSchedule(status);
    Step next = schedule.begin();
    while (!(next instanceof Step.Last)) {
      next = performed(schedule, next);
    }
    boolean needed = ended((Step.Last) next);
    if (needed) {
      shard.progress().bootstrapping(status);
    }
    return needed;
  }

  private Step performed(BootstrapSchedule schedule, Step step) throws Exception {
    return switch (step) {
      case Step.ReadLeader _ -> {
        ManifestLog.Newest newest = leader.segments().newest();
        stored = newest.stored();
        yield schedule.read(newest.published(), read(leader.partition()));
      }
      case Step.TakeLease(long fromOffset) ->
          schedule.leased(
              leader.lease().take(fromOffset, shard.clock().millis()), leader.lease().refusal());
      case Step.ReadLog _ -> schedule.bounds(read(leader.partition()));
      case Step.Last last -> last;
    };
  }

  /** Returns whether the primary needed anything. */
  private boolean ended(Step.Last step) throws Exception {
    switch (step) {
      case Step.Send(BootstrapDecision.Choice choice) ->
          shard.primary().begin(shard.follow().assignment(), plan(choice));
      case Step.RenewLease(long fromOffset) -> {
        var _ = leader.lease().renew(fromOffset, shard.clock().millis());
      }
      case Step.Fail(String reason) -> throw new IOException(reason);
      case Step.Done _ -> {
        return false;
      }
    }
    return true;
  }

  /** The pause before the next step; it increases with each plan that failed. */
  long pauseMillis() {
    return pauseMillis;
  }

  private void note(BootstrapWire.Status status) {
    if (status.state() == BootstrapWire.State.COPYING) {
      pauseMillis = POLL_MILLIS;
    } else if (!status.reason().isEmpty()) {
      failedPlans++;
      pauseMillis = Math.min(MOST_PAUSE_MILLIS, POLL_MILLIS << Math.min(failedPlans, 10));
      LOG.info("{} decides again how to start: {}", shard.progress().shard(), status.reason());
    }
  }

  private BootstrapWire.Plan plan(BootstrapDecision.Choice choice) throws Exception {
    return switch (choice) {
      case BootstrapDecision.Choice.Replay _ -> BootstrapWire.Plan.REPLAY;
      case BootstrapDecision.Choice.Copy(Manifest manifest) -> copy(manifest);
      case BootstrapDecision.Choice.Impossible(String reason) -> throw new IOException(reason);
    };
  }

  private BootstrapWire.Plan copy(Manifest manifest) throws Exception {
    StoredManifest inLeadersStore = stored;
    PartitionLog published = leader.replicated();
    if (published != null) {
      ReplicatedOperations.awaitEnd(published, leader.partition(), REPLICATED_WITHIN);
    }
    shard.mapping().upTo(leader.segments().mappingVersion());
    boolean inStore =
        inLeadersStore != null
            && manifest.files().stream().allMatch(file -> inLeadersStore.placeOf(file) != null);
    LOG.info(
        "{} starts with generation {} of term {} of the leader, {} bytes",
        shard.progress().shard(),
        manifest.generation(),
        manifest.term(),
        manifest.totalBytes());
    return new BootstrapWire.Plan(
        manifest,
        inStore ? inLeadersStore : null,
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
