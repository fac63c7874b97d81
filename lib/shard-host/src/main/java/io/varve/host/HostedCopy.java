package io.varve.host;

import io.varve.cluster.IndexMetadata;
import io.varve.engine.SuspectFolder;
import io.varve.events.ShardId;
import io.varve.process.FatalErrors;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One shard's place on this node. A thread of its own brings what is here to what the cluster state
 * wants here: opens, re-opens under a new assignment, reports, retries with growing pauses, closes.
 */
final class HostedCopy implements CopyContext.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(HostedCopy.class);

  /** Before a copy that does not show yet what others show is asked again. */
  private static final long SHOW_AGAIN_MILLIS = 100;

  /** What the cluster state wants here. */
  sealed interface Goal {

    /**
     * A copy.
     *
     * @param term the primary's, 0 for a replica
     * @param usedTerm the term may have been used by this node's former process
     * @param reported the cluster knows it as started
     */
    record Copy(String copyId, boolean primary, long term, boolean usedTerm, boolean reported)
        implements Goal {
      boolean sameAs(Copy other) {
        return copyId.equals(other.copyId) && primary == other.primary && term == other.term;
      }
    }

    /** None. */
    record Nothing(boolean deleteFolder) implements Goal {}
  }

  /** Told what becomes of the copy. */
  interface Watcher {

    /** A copy can be asked for, or has more to say than before. */
    void opened();

    /** Before the copy lets go of its readers. */
    void closing(ShardCopy copy);

    void ended();
  }

  private final NodeContext node;
  private final ShardId shard;
  private final Path folder;
  private final CopyFactory factory;
  private final ProgressPublisher progress;
  private final PlaceDamage damage;
  private final RefusedLog refusedLog;
  private final LeaderReports leader;
  private final Setbacks setbacks;
  private final Watcher watcher;
  private final Thread thread;
  private final PlaceGoal goal;
  private final IdleLogCheck idleLogCheck;
  private volatile @Nullable ShardCopy copy;
  private volatile Goal.@Nullable Copy opened;
  private volatile String brokenReason = "unknown";

  HostedCopy(
      NodeContext node,
      ShardId shard,
      Goal goal,
      CopyFactory factory,
      ProgressPublisher progress,
      Suspicions suspicions,
      Watcher watcher) {
    this(node, shard, goal, factory, progress, suspicions, watcher, new Setbacks(node.clock()));
  }

  /**
   * @param setbacks says how long to wait before a copy is opened again
   */
  HostedCopy(
      NodeContext node,
      ShardId shard,
      Goal goal,
      CopyFactory factory,
      ProgressPublisher progress,
      Suspicions suspicions,
      Watcher watcher,
      Setbacks setbacks) {
    this.node = node;
    this.shard = shard;
    this.folder = Folders.of(node.settings().data(), shard);
    this.factory = factory;
    this.progress = progress;
    this.damage = new PlaceDamage(shard, Folders.segments(folder), suspicions);
    this.refusedLog = new RefusedLog(node, shard, progress);
    this.leader = new LeaderReports(node, shard);
    this.setbacks = setbacks;
    this.idleLogCheck = new IdleLogCheck(node.clock());
    this.watcher = watcher;
    this.thread = Thread.ofVirtual().name("copy " + shard).unstarted(this::run);
    this.goal = new PlaceGoal(goal, thread);
  }

  void start() {
    thread.start();
  }

  Optional<ShardCopy> copy() {
    return Optional.ofNullable(copy);
  }

  /** Never blocks. */
  void want(Goal wanted) {
    goal.want(wanted);
  }

  /** Whether the copy was closed in that time. */
  boolean awaitEnd(Duration timeout) throws InterruptedException {
    return thread.join(timeout);
  }

  @Override
  public void progressed() {
    watcher.opened();
    Goal.Copy now = opened;
    if (now != null) {
      progress.changed(now.copyId());
    }
  }

  @Override
  public void broken(String reason) {
    brokenReason = reason;
    goal.lookAgain();
    progressed();
  }

  /** It is not opened again: the leader gives its place anew, where another copy takes over. */
  @SuppressWarnings("ReferenceEquality")
  void damaged(ShardCopy which, String reason) {
    if (!damage.suspect(which, reason)) {
      return;
    }
    Goal.Copy was = opened;
    if (copy == which && was != null && damage.giveUp(was, reason)) {
      goal.lookAgain();
    }
  }

  private void run() {
    try {
      while (true) {
        PlaceGoal.Seen seen = goal.read();
        switch (seen.goal()) {
          case Goal.Nothing nothing -> {
            end(nothing.deleteFolder());
            return;
          }
          case Goal.Copy assignment -> awaitChange(seen.changes(), stepOrPause(assignment));
        }
      }
    } catch (RuntimeException | Error e) {
      FatalErrors.endOn(e);
      LOG.error("{} is given up on this node", shard, e);
    } finally {
      closeCopy();
      watcher.ended();
    }
  }

  /** What nobody foresaw ends no place: a new one in its stead would know nothing of it. */
  private long stepOrPause(Goal.Copy assignment) {
    try {
      return step(assignment);
    } catch (RuntimeException | Error e) {
      FatalErrors.endOn(e);
      LOG.error("{} could not be brought on as {}", shard, assignment, e);
      closeCopy();
      return setbacks.failed();
    }
  }

  /** Brings things forward; returns how long to wait for a change before going on. */
  private long step(Goal.Copy assignment) {
    String damaged = damage.reason(assignment);
    if (damaged != null) {
      return giveUp(assignment, damaged);
    }
    ShardCopy present = copy;
    Goal.Copy presentFor = opened;
    if (present == null || presentFor == null || !presentFor.sameAs(assignment)) {
      if (assignment.usedTerm()) {
        closeCopy();
        return leader.awaitTerm(assignment);
      }
      return open(assignment);
    }
    return switch (present.state()) {
      case STARTED -> {
        if (assignment.reported()) {
          leader.wentWell();
          yield idleLogCheck.run(present);
        }
        yield reportStarted(assignment, present);
      }
      case GATE_CLOSED -> askForTermAfter(setbacks.gateClosed(), assignment, "the gate is closed");
      case FAILED -> afterFailure(assignment, present);
      default -> failed(assignment, "unexpected state " + present.state());
    };
  }

  private long afterFailure(Goal.Copy assignment, ShardCopy failed) {
    failed.damage().ifPresent(reason -> damaged(failed, reason));
    if (damage.reason(assignment) != null) {
      return 0;
    }
    closeCopy();
    return failed(assignment, "the copy failed: " + brokenReason);
  }

  private long giveUp(Goal.Copy assignment, String reason) {
    if (copy != null) {
      LOG.error("{} is damaged and is given up: {}", shard, reason);
      closeCopy();
    }
    return leader.failedForGood(assignment, reason);
  }

  private long open(Goal.Copy assignment) {
    prepare(assignment);
    closeCopy();
    try {
      Folders.create(folder);
      damage.clear(writes(assignment));
      ShardCopy made =
          factory.create(
              new CopyContext(node, shard, assignment.copyId(), folder, this),
              assignment.primary(),
              assignment.term());
      opened = assignment;
      copy = made;
      progress.add(assignment.copyId(), made::progress);
      watcher.opened();
      if (!goal.beginStart(assignment)) {
        closeCopy();
        return 0;
      }
      try {
        made.start();
      } finally {
        goal.endStart();
        // Whoever interrupted the start has changed the goal, which is looked at next.
        Thread.interrupted();
      }
      leader.wentWell();
      setbacks.started();
      refusedLog.opened();
      idleLogCheck.opened();
      return 0;
    } catch (Exception | Error e) {
      boolean obsolete = goal.isObsolete(assignment);
      noteDamage(e);
      closeCopy();
      if (obsolete || damage.reason(assignment) != null) {
        return 0;
      }
      String refused = RefusedLog.reason(e);
      if (refused != null) {
        return refuse(assignment, refused);
      }
      String reason = FailureReasons.of(e);
      LOG.warn("{} could not be opened as {}: {}", shard, assignment, reason, e);
      return failed(assignment, reason);
    }
  }

  private long refuse(Goal.Copy assignment, String reason) {
    refusedLog.begin(assignment, reason);
    return refusedLog.keepsItsPlace(assignment)
        ? RefusedLog.RETRY_MILLIS
        : leader.failedForGood(assignment, reason);
  }

  /** What a start has read, which may not have come as far as to an engine that knows it. */
  private void noteDamage(Throwable failure) {
    ShardCopy started = copy;
    if (started != null) {
      SuspectFolder.damage(failure)
          .or(started::damage)
          .ifPresent(reason -> damaged(started, reason));
    }
  }

  private boolean writes(Goal.Copy assignment) {
    return assignment.primary()
        || node.cluster()
            .current()
            .index(shard.indexUuid())
            .filter(index -> index.replicationType().equals(IndexMetadata.DOCUMENT))
            .isPresent();
  }

  /** A replica that becomes the primary where it stands brings what it lacks, first. */
  private void prepare(Goal.Copy assignment) {
    ShardCopy present = copy;
    if (!assignment.primary() || present == null || present.primary()) {
      return;
    }
    try {
      new HandOver(node, shard).prepare(present);
    } catch (InterruptedException e) {
      LOG.debug("{} was interrupted before it took over: the goal has changed", shard);
    }
  }

  /** It is tried again, and after some failures the leader is asked for another place instead. */
  private long failed(Goal.Copy assignment, String reason) {
    long pause = setbacks.failed();
    if (setbacks.worthAReport()) {
      setbacks.reported();
      return leader.failedForGood(assignment, reason);
    }
    return assignment.primary() ? askForTermAfter(pause, assignment, reason) : pause;
  }

  /** Each new term is a change of the goal, so the pause is before the asking. */
  private long askForTermAfter(long pause, Goal.Copy assignment, String reason) {
    awaitOtherGoal(assignment, pause);
    return goal.isObsolete(assignment) || damage.reason(assignment) != null
        ? 0
        : leader.askForTerm(assignment, reason);
  }

  private void awaitOtherGoal(Goal.Copy assignment, long millis) {
    try {
      goal.awaitOther(assignment, millis);
    } catch (InterruptedException e) {
      LOG.debug("{} was interrupted while pausing: the goal has changed", shard);
    }
  }

  /** Not before it shows what others show: reads go to it as soon as the cluster knows it. */
  private long reportStarted(Goal.Copy assignment, ShardCopy present) {
    try {
      if (present.showNewest(LeaderReports.CALL_TIMEOUT)) {
        return leader.started(assignment);
      }
      LOG.info("{} is not reported as started: it does not show yet what others show", shard);
    } catch (Exception e) {
      LOG.warn("{} is not reported as started: what others show is not known", shard, e);
    }
    return SHOW_AGAIN_MILLIS;
  }

  private void awaitChange(long seen, long millis) {
    try {
      goal.awaitChange(seen, millis);
    } catch (InterruptedException e) {
      LOG.debug("{} was interrupted after its start: the goal has changed", shard);
    }
  }

  private void closeCopy() {
    ShardCopy present = copy;
    Goal.Copy presentFor = opened;
    copy = null;
    opened = null;
    refusedLog.end();
    if (presentFor != null) {
      progress.remove(presentFor.copyId());
    }
    if (present != null) {
      try {
        watcher.closing(present);
        present.close();
      } catch (RuntimeException | Error e) {
        LOG.warn("{} did not close cleanly", shard, e);
      }
      // Merges went on until now.
      present.damage().ifPresent(reason -> damaged(present, reason));
    }
  }

  private void end(boolean deleteFolder) {
    Goal.Copy before = opened;
    closeCopy();
    if (deleteFolder) {
      if (before != null) {
        progress.forget(before.copyId());
      }
      Folders.delete(folder);
      damage.forget();
    }
  }
}
