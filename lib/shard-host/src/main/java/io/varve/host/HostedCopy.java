package io.varve.host;

import io.varve.engine.HeldView;
import io.varve.engine.SuspectFolder;
import io.varve.events.ShardId;
import io.varve.process.FatalErrors;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One shard's place on this node. A dedicated thread compares the open copy with the {@link Goal}
 * in the cluster state, and acts on the difference:
 *
 * <pre>
 *   no copy, or one of another assignment   open
 *   STARTED, not proven or not reported     report it once it shows what the other copies show
 *   STARTED, proven and reported            check the idle log
 *   GATE_CLOSED, FAILED, not opened         {@link PlaceFailures}
 *   damaged                                 close, and report it as failed
 *   no copy is wanted                       close, and delete the folder if it is deletable
 * </pre>
 */
final class HostedCopy implements CopyContext.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(HostedCopy.class);

  /** Observes the copies at this place. */
  interface Watcher {

    /** A copy exists now, or its progress has changed. */
    void opened();

    /** The copy is about to release its readers. */
    void closing(ShardCopy copy);

    /** No further copy is opened here. */
    void ended();

    /** Listens to events of the copies. */
    default CopyEvents events() {
      return CopyEvents.NONE;
    }
  }

  private final NodeContext node;
  private final ShardId shard;
  private final Path folder;
  private final CopyMaker maker;
  private final ProgressPublisher progress;
  private final PlaceDamage damage;
  private final RefusedLog refusedLog;
  private final PlaceFailures failures;
  private final LeaderReports leader;
  private final StartReport startReport;
  private final Setbacks setbacks;
  private final Watcher watcher;
  private final Thread thread;
  private final PlaceGoal goal;
  private final IdleLogCheck idleLogCheck;
  private volatile @Nullable ShardCopy copy;
  private volatile boolean closing;
  private volatile Goal.@Nullable Copy opened;
  private volatile String brokenReason = "unknown";

  /** Whether the open copy was seen as started in the cluster state. */
  private boolean reported;

  /**
   * @param setbacks the back-off before a copy is opened again
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
    this.maker = new CopyMaker(node, shard, folder, factory, this);
    this.progress = progress;
    this.damage = new PlaceDamage(shard, Folders.segments(folder), suspicions);
    this.refusedLog = new RefusedLog(node, shard, progress);
    this.leader = new LeaderReports(node, shard);
    this.setbacks = setbacks;
    this.idleLogCheck = new IdleLogCheck(node.clock());
    this.watcher = watcher;
    this.thread = Thread.ofVirtual().name("copy " + shard).unstarted(this::run);
    this.goal = new PlaceGoal(goal, thread);
    this.startReport = new StartReport(node, shard, leader, node.blocking(), this.goal::lookAgain);
    this.failures = new PlaceFailures(shard, this.goal, leader, setbacks, refusedLog, damage);
  }

  void start() {
    thread.start();
  }

  Optional<ShardCopy> copy() {
    return Optional.ofNullable(copy);
  }

  boolean isClosing() {
    return closing;
  }

  /** Never blocks. */
  void want(Goal wanted) {
    goal.want(wanted);
  }

  /** Returns whether the copy was closed within the timeout. */
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
  public void shown(long lagMillis) {
    watcher.events().shown(shard, lagMillis);
  }

  @Override
  public void gate(CopyContext.GateChange change) {
    watcher.events().gate(shard, change);
  }

  @Override
  public void broken(String reason) {
    brokenReason = reason;
    goal.lookAgain();
    progressed();
  }

  @Override
  public void contradicted(String reason) {
    ShardCopy which = copy;
    if (which != null) {
      damaged(which, SuspectFolder.contradiction(reason));
    }
  }

  /**
   * Reports the place as failed: the leader allocates the copy again, and another copy takes over.
   */
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
      LOG.error("{} is closed on this node after an unexpected failure", shard, e);
    } finally {
      closeCopy();
      watcher.ended();
    }
  }

  /** An unexpected failure does not end the place: a new place would not count earlier failures. */
  private long stepOrPause(Goal.Copy assignment) {
    try {
      return step(assignment);
    } catch (RuntimeException | Error e) {
      FatalErrors.endOn(e);
      LOG.error("{} could not be opened or reported as {}", shard, assignment, e);
      closeCopy();
      return setbacks.failed();
    }
  }

  /**
   * Performs the next step; returns the maximum time in milliseconds to wait for a change before
   * the one after it.
   */
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
          reported = true;
          leader.wentWell();
        }
        yield assignment.reported() && startReport.isProven()
            ? idleLogCheck.run(present)
            : startReport.of(assignment, present);
      }
      case GATE_CLOSED -> failures.gateClosed(assignment);
      case FAILED -> afterFailure(assignment, present);
      default -> failures.failed(assignment, "unexpected state " + present.state());
    };
  }

  private long afterFailure(Goal.Copy assignment, ShardCopy failed) {
    failed.damage().ifPresent(reason -> damaged(failed, reason));
    if (damage.reason(assignment) != null) {
      return 0;
    }
    closeCopy();
    return failures.failed(assignment, "the copy failed: " + brokenReason);
  }

  private long giveUp(Goal.Copy assignment, String reason) {
    if (copy != null) {
      LOG.error("{} is damaged, the copy is closed and reported as failed: {}", shard, reason);
      closeCopy();
    }
    return leader.failedForGood(assignment, reason);
  }

  private long open(Goal.Copy assignment) {
    TakeOver takeOver = new TakeOver(node, shard, assignment, copy);
    takeOver.prepare();
    try {
      Optional<HeldView> shown = takeOver.view(reported);
      ShardCopy made =
          shown.isPresent() ? takenOver(assignment, shown.get()) : replaced(assignment);
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
        // The interrupt came with a new goal, which is read next.
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
      RefusedLog.Refusal refused = RefusedLog.of(e);
      if (refused != null) {
        return failures.refused(assignment, refused);
      }
      String reason = FailureReasons.of(e);
      LOG.warn("{} could not be opened as {}: {}", shard, assignment, reason, e);
      return failures.failed(assignment, reason);
    }
  }

  private ShardCopy replaced(Goal.Copy assignment) throws IOException {
    closeCopy();
    Folders.create(folder);
    damage.clear(maker.writes(assignment));
    ShardCopy made = maker.make(assignment);
    put(assignment, made);
    return made;
  }

  /** The new primary replaces the replica before its close, so that searches find a copy. */
  private ShardCopy takenOver(Goal.Copy assignment, HeldView view) throws IOException {
    ShardCopy made;
    try {
      made = maker.make(assignment);
    } catch (RuntimeException | Error e) {
      view.close();
      throw e;
    }
    made.takesOver(view);
    ShardCopy replica = copy;
    Goal.Copy replicaFor = opened;
    closing = replica != null;
    put(assignment, made);
    close(replica, replicaFor);
    damage.clear(maker.writes(assignment));
    return made;
  }

  private void put(Goal.Copy assignment, ShardCopy made) {
    opened = assignment;
    copy = made;
    reported = false;
    startReport.opened();
  }

  /** A start can detect damage before there is an engine that reports it. */
  private void noteDamage(Throwable failure) {
    ShardCopy started = copy;
    if (started != null) {
      SuspectFolder.damage(failure)
          .or(started::damage)
          .ifPresent(reason -> damaged(started, reason));
    }
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
    closing = present != null;
    copy = null;
    opened = null;
    reported = false;
    close(present, presentFor);
  }

  private void close(@Nullable ShardCopy present, Goal.@Nullable Copy presentFor) {
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
      } finally {
        closing = false;
      }
      // Merges that ran until now may have detected damage.
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
