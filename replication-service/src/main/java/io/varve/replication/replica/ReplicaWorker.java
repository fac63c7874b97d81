package io.varve.replication.replica;

import io.varve.engine.EngineException;
import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.process.FatalErrors;
import io.varve.store.CopySchedule;
import io.varve.store.Joining;
import io.varve.store.RoundFailures;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of a segment replica, on one thread:
 *
 * <pre>
 *   decide  the next action                  {@link CopyRounds}
 *   copy    the newest manifest              {@link SegmentFollower}
 *   show    the result of the round, or decide what its failure means  {@link RoundFailures}
 * </pre>
 *
 * The phases of the copy change only here and in its start and close.
 */
final class ReplicaWorker {

  /** For reading the end of the manifests, after a source reported that one was replaced. */
  private static final Duration NEWER_TIMEOUT = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaWorker.class);

  private final CopyContext context;
  private final SegmentReplicaLife life;
  private final CopyRounds rounds;
  private final ReplicaStats stats;
  private final ShownPosition position;
  private final ReplicaReadiness readiness;
  private final RoundFailures failures = new RoundFailures();
  private final CompletableFuture<@Nullable Void> started = new CompletableFuture<>();
  private volatile @Nullable Thread thread;
  private volatile @Nullable FileSync sync;

  ReplicaWorker(
      CopyContext context,
      SegmentReplicaLife life,
      CopyRounds rounds,
      ReplicaStats stats,
      ShownPosition position,
      ReplicaReadiness readiness) {
    this.context = context;
    this.life = life;
    this.rounds = rounds;
    this.stats = stats;
    this.position = position;
    this.readiness = readiness;
  }

  /** Starts with the manifest that the folder holds, if any. */
  void start(ReplicaParts parts) {
    FileSync made = new FileSync(context.shard(), parts.engine(), rounds, stats, this::fail);
    sync = made;
    if (parts.engine().installed() != null && rounds.upToDate()) {
      becomeStarted(parts);
    }
    thread =
        Thread.ofVirtual()
            .name("segment-replica-" + context.shard())
            .start(() -> work(parts, made));
  }

  /** Returns once the copy is started; throws the reason if it fails first. */
  void awaitStarted() throws Exception {
    try {
      started.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private void work(ReplicaParts parts, FileSync syncs) {
    try {
      while (true) {
        switch (rounds.awaitNext()) {
          case CopyRounds.Next.Copy(Manifest target) -> copy(parts, target);
          case CopyRounds.Next.Sync _ -> syncs.begin();
          case CopyRounds.Next.End _ -> {
            return;
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      FatalErrors.endOn(e);
      LOG.error("{} can't continue", context.shard(), e);
      fail(e.toString());
    }
  }

  private void copy(ReplicaParts parts, Manifest target) throws InterruptedException {
    stats.roundBegins();
    switch (round(parts, target)) {
      case SegmentFollower.Ended.Installed(Manifest manifest) -> installed(parts, manifest);
      case SegmentFollower.Ended.Failed failed -> failed(parts, failed);
      case SegmentFollower.Ended.Stopped _ -> {}
    }
    context.host().progressed();
  }

  /** A round whose snapshot can't be offered to peers has failed, and is retried. */
  private SegmentFollower.Ended round(ReplicaParts parts, Manifest target)
      throws InterruptedException {
    SegmentFollower.Ended ended = parts.follower().run(target);
    if (ended instanceof SegmentFollower.Ended.Installed(Manifest manifest)) {
      try {
        parts.snapshots().shown(parts.engine());
      } catch (RuntimeException e) {
        return new SegmentFollower.Ended.Failed(
            manifest, SegmentFollower.ofThisCopy(e), e.toString());
      }
    }
    return ended;
  }

  private void installed(ReplicaParts parts, Manifest manifest) {
    rounds.achieved(manifest);
    failures.installed();
    stats.installed(manifest);
    position.show(manifest);
    if (rounds.upToDate()) {
      becomeStarted(parts);
    }
  }

  private void becomeStarted(ReplicaParts parts) {
    boolean building = life.now() instanceof SegmentReplicaLife.Building;
    if (building && parts.opening().endIfLocal() && life.started()) {
      context.host().progressed();
      stats.started();
      started.complete(null);
    }
  }

  private void failed(ReplicaParts parts, SegmentFollower.Ended.Failed failed)
      throws InterruptedException {
    stats.unreadable(failed.failure() == CopySchedule.Failure.UNREADABLE ? failed.reason() : null);
    boolean newerIsKnown =
        rounds.failed(failed.target(), failed.failure())
            || (failed.failure() == CopySchedule.Failure.SOURCE_GONE
                && readiness.isReplaced(failed.target(), NEWER_TIMEOUT));
    LOG.warn(
        "{} could not copy generation {} of term {} ({}): {}",
        context.shard(),
        failed.target().generation(),
        failed.target().term(),
        failed.failure(),
        failed.reason());
    switch (failures.after(failed.failure(), newerIsKnown, copy(parts))) {
      case RETRY -> {}
      case KEEP_COMMIT -> {
        if (parts.content().keepCommit()) {
          fail("it continues from the last commit of a primary: no other copy serves");
        }
      }
      case START_BEHIND -> {
        LOG.warn(
            "{} starts with an older manifest than was shown before: no other copy serves",
            context.shard());
        readiness.startBehind();
        becomeStarted(parts);
      }
      case REOPEN -> fail(failed.reason());
    }
  }

  /** The content of the folder is read only if the decision depends on it. */
  private RoundFailures.Copy copy(ReplicaParts parts) {
    boolean isStarted = life.now() instanceof SegmentReplicaLife.Started;
    boolean alone = readiness.isAlone();
    return new RoundFailures.Copy(
        isStarted,
        isStarted || !alone ? RoundFailures.Held.NOTHING : parts.content().held(),
        parts.engine().opened() != null,
        alone);
  }

  /** Ends the work permanently; the host is notified if the copy was started. */
  void fail(String reason) {
    life.failed()
        .ifPresent(before -> {
          stopWorking();
          started.completeExceptionally(new EngineException(reason));
          if (before instanceof SegmentReplicaLife.Started) {
            context.host().broken(reason);
          }
        });
  }

  /** Stops the current round at its next range of bytes; no other round follows. */
  void stopWorking() {
    rounds.stop();
    life.now().parts().ifPresent(parts -> parts.follower().stop());
  }

  /**
   * Returns when no round is running and everything shown is durable. The interrupt ends a wait for
   * a source that does not answer.
   */
  void awaitEnd() {
    Thread running = thread;
    if (running != null) {
      running.interrupt();
      Joining.uninterruptibly(List.of(running));
    }
    FileSync syncs = sync;
    if (syncs != null) {
      syncs.awaitEnd();
      if (rounds.beginLastSync()) {
        syncs.begin();
        syncs.awaitEnd();
      }
    }
  }

  /** Ends a start that is still waiting. */
  void closed() {
    started.completeExceptionally(new IllegalStateException("the copy is closed"));
  }
}
