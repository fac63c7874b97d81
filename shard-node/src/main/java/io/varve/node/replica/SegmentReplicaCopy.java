package io.varve.node.replica;

import io.varve.cluster.IndexMetadata;
import io.varve.engine.EngineConfig;
import io.varve.engine.EngineException;
import io.varve.engine.SearchableCopy;
import io.varve.engine.SegmentEngine;
import io.varve.events.CopyProgress;
import io.varve.events.Manifest;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.node.CopyContext;
import io.varve.node.CopyStatsOf;
import io.varve.node.RecoveryCourse;
import io.varve.node.RecoveryFiles;
import io.varve.node.ShardCopy;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopyStats;
import io.varve.store.BackOff;
import io.varve.store.CopyCourse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy that is given its segments: follows the shard's manifests and shows the newest, fetching
 * the files that it lacks from the node that published it.
 *
 * <pre>
 *   STARTING   opens what the folder holds; an earlier manifest is served from here on
 *   COPYING    brings the newest manifest
 *   STARTED    shows a manifest, follows those that come
 *   FAILED     the folder can't be used as it is, or the manifests are gone
 * </pre>
 *
 * <p>One thread of its own goes from round to round as {@link CopyCourse} says; manifests come in
 * on the log's thread and wake it. Nothing is polled.
 */
public final class SegmentReplicaCopy implements ShardCopy {

  private static final Logger LOG = LoggerFactory.getLogger(SegmentReplicaCopy.class);
  private static final long REPORT_MILLIS = 100;
  private static final int FAILURES_UNTIL_REOPENED = 5;

  private final CopyContext context;
  private final SegmentTransfers transfers;
  private final OffsetWatcher visible = new OffsetWatcher(-1);
  private final CompletableFuture<@Nullable Void> started = new CompletableFuture<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final CopyCourse course =
      new CopyCourse(new BackOff(200, 10_000, () -> ThreadLocalRandom.current().nextDouble()));

  private final RecoveryCourse recovery;
  private final LongAdder syncs = new LongAdder();
  private volatile State state = State.EMPTY;
  private volatile @Nullable SegmentEngine engine;
  private volatile @Nullable SegmentFollower follower;
  private volatile PartitionLog.@Nullable Subscription subscription;
  private volatile @Nullable Thread worker;
  private volatile @Nullable Manifest newest;
  private volatile boolean closing;
  private volatile long bytesBehind;
  private volatile long lastLagMillis = -1;
  private volatile long lastReportMillis;
  private long unsyncedSinceMillis = -1;
  private int copyFailuresInARow;

  public SegmentReplicaCopy(CopyContext context, SegmentTransfers transfers) {
    this.context = context;
    this.transfers = transfers;
    this.recovery = new RecoveryCourse(context, false);
  }

  @Override
  public void start() throws Exception {
    enter(State.STARTING);
    recovery.enter(RecoveryCourse.Stage.INDEX);
    Path directory = context.folder().resolve("index");
    SegmentEngine opened =
        SegmentEngine.open(
            new EngineConfig(context.shard(), directory, 0, context.index().settings()));
    engine = opened;
    Manifest kept = opened.installed();
    if (kept != null) {
      achieved(kept);
      recovery.type(RecoveryCourse.Type.EXISTING_STORE);
      recovery.fromFolder(RecoveryFiles.committed(opened.segments()));
    }
    follower =
        new SegmentFollower(
            context, transfers, opened, directory, () -> newest, this::missing, recovery);
    follow();
    enter(State.COPYING);
    if (kept != null && upToDate()) {
      markStarted();
    }
    worker = Thread.ofVirtual().name("segment-replica-" + context.shard()).start(this::work);
    awaitStarted();
  }

  /** What was published before comes at once, whatever is published from here on by the log. */
  private void follow() throws LogException {
    PartitionLog manifests = context.manifests();
    long end = manifests.endOffset();
    Manifest last = NewestManifest.before(end, manifests);
    if (last != null) {
      seen(last);
    }
    subscription =
        manifests.subscribe(
            end,
            new PartitionLog.BatchListener() {
              @Override
              public void records(List<StoredRecord> batch) {
                for (StoredRecord stored : batch) {
                  Manifest manifest = NewestManifest.decode(stored);
                  if (manifest != null) {
                    seen(manifest);
                  }
                }
              }

              @Override
              public void lost(LogException.OutOfRange reason) {
                fail("the manifests are gone: " + reason.getMessage());
              }
            });
  }

  private void awaitStarted() throws Exception {
    try {
      started.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private void seen(Manifest manifest) {
    lock.lock();
    try {
      if (course.seen(manifest)) {
        newest = manifest;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
    context.host().progressed();
  }

  /** The worker's life. */
  private void work() {
    try {
      while (awaitRound() instanceof CopyCourse.Step.Begin(Manifest target)) {
        SegmentFollower following = follower;
        if (following != null) {
          ended(following.run(target));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.error("{} can't go on", context.shard(), e);
      fail(e.toString());
    }
  }

  /** Waits for the next round, making files durable when it is time; idle only at the end. */
  private CopyCourse.Step awaitRound() throws InterruptedException {
    while (true) {
      lock.lock();
      try {
        long now = context.node().clock().millis();
        CopyCourse.Step step = closing ? new CopyCourse.Step.Idle() : course.next(now);
        if (closing || step instanceof CopyCourse.Step.Begin) {
          return step;
        }
        long untilStep =
            step instanceof CopyCourse.Step.WaitUntil(long millis) ? millis - now : Long.MAX_VALUE;
        long waitMillis = Math.min(untilStep, millisUntilSync(now));
        if (waitMillis > 0) {
          changed.await(waitMillis, TimeUnit.MILLISECONDS);
          continue;
        }
      } finally {
        lock.unlock();
      }
      sync();
    }
  }

  private long millisUntilSync(long now) {
    return unsyncedSinceMillis < 0
        ? Long.MAX_VALUE
        : Math.max(0, unsyncedSinceMillis + context.node().settings().commitMillis() - now);
  }

  /** From here on a restart needs to read no file to trust it. */
  private void sync() {
    SegmentEngine opened = engine;
    if (opened == null || unsyncedSinceMillis < 0) {
      return;
    }
    unsyncedSinceMillis = -1;
    try {
      opened.sync();
      syncs.increment();
    } catch (EngineException e) {
      LOG.warn("{} could not make its files durable; a restart verifies them", shard(), e);
    }
  }

  private void ended(SegmentFollower.Ended ended) {
    switch (ended) {
      case SegmentFollower.Ended.Installed(Manifest manifest) -> {
        copyFailuresInARow = 0;
        if (unsyncedSinceMillis < 0) {
          unsyncedSinceMillis = context.node().clock().millis();
        }
        lastLagMillis = Math.max(0, context.node().clock().millis() - manifest.createdMillis());
        achieved(manifest);
        if (upToDate()) {
          markStarted();
        }
      }
      case SegmentFollower.Ended.Failed failed -> roundFailed(failed);
      case SegmentFollower.Ended.Stopped _ -> {}
    }
    context.host().progressed();
  }

  private void achieved(Manifest manifest) {
    lock.lock();
    try {
      course.achieved(manifest);
    } finally {
      lock.unlock();
    }
    visible.advanceTo(manifest.visibleSeqNo());
  }

  private boolean upToDate() {
    lock.lock();
    try {
      return course.next(context.node().clock().millis()) instanceof CopyCourse.Step.Idle;
    } finally {
      lock.unlock();
    }
  }

  private void roundFailed(SegmentFollower.Ended.Failed failed) {
    LOG.warn(
        "{} could not copy generation {} of term {} ({}): {}",
        shard(),
        failed.target().generation(),
        failed.target().term(),
        failed.failure(),
        failed.reason());
    lock.lock();
    try {
      course.failed(failed.target(), failed.failure(), context.node().clock().millis());
    } finally {
      lock.unlock();
    }
    if (failed.failure() != CopyCourse.Failure.COPY_BROKEN) {
      markStartedWithWhatIsKept();
    } else if (++copyFailuresInARow >= FAILURES_UNTIL_REOPENED) {
      // Opening anew verifies every file and drops those that are damaged.
      fail(failed.reason());
    }
  }

  /** Without its source a copy that has something to show is worth more than none. */
  private void markStartedWithWhatIsKept() {
    SegmentEngine opened = engine;
    if (opened != null && opened.installed() != null) {
      markStarted();
    }
  }

  private void markStarted() {
    if (state == State.COPYING) {
      enter(State.STARTED);
      recovery.enter(RecoveryCourse.Stage.DONE);
      started.complete(null);
    }
  }

  private void missing(long bytes) {
    bytesBehind = bytes;
    long now = context.node().clock().millis();
    if (now - lastReportMillis >= REPORT_MILLIS) {
      lastReportMillis = now;
      context.host().progressed();
    }
  }

  private void fail(String reason) {
    if (closing || state == State.FAILED) {
      return;
    }
    boolean wasStarted = state == State.STARTED;
    state = State.FAILED;
    stopWorking();
    started.completeExceptionally(new EngineException(reason));
    if (wasStarted) {
      context.host().broken(reason);
    }
  }

  private void stopWorking() {
    lock.lock();
    try {
      closing = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    SegmentFollower following = follower;
    if (following != null) {
      following.stop();
    }
  }

  private void enter(State next) {
    state = next;
    context.host().progressed();
  }

  @Override
  public ShardId shard() {
    return context.shard();
  }

  @Override
  public String copyId() {
    return context.copyId();
  }

  @Override
  public boolean primary() {
    return false;
  }

  @Override
  public State state() {
    return state;
  }

  @Override
  public long term() {
    Manifest shown = shown();
    return shown == null ? 0 : shown.term();
  }

  private @Nullable Manifest shown() {
    SegmentEngine opened = engine;
    return opened == null ? null : opened.installed();
  }

  @Override
  public Optional<SearchableCopy> searchable() {
    SegmentEngine opened = engine;
    return opened == null || opened.installed() == null || state == State.CLOSED
        ? Optional.empty()
        : Optional.of(opened);
  }

  @Override
  public OffsetWatcher visible() {
    return visible;
  }

  @Override
  public CopyProgress progress() {
    long now = context.node().clock().millis();
    Manifest shown = shown();
    SegmentFollower following = follower;
    long checkpointsBehind;
    long millisBehind;
    lock.lock();
    try {
      checkpointsBehind = course.checkpointsBehind();
      millisBehind = course.millisBehind(now);
    } finally {
      lock.unlock();
    }
    return new CopyProgress(
        context.copyId(),
        context.shard(),
        context.node().identity().nodeId(),
        false,
        state.name(),
        shown == null ? 0 : shown.term(),
        shown == null ? -1 : shown.generation(),
        shown == null ? 0 : shown.nextOffset(),
        shown == null ? -1 : shown.visibleSeqNo(),
        visible.current(),
        bytesBehind,
        checkpointsBehind,
        millisBehind,
        lastLagMillis,
        following == null ? 0 : following.filesFetched(),
        following == null ? 0 : following.bytesFetched(),
        now);
  }

  @Override
  public CopyStats stats() {
    SearchableCopy shown =
        searchable().orElseThrow(() -> new IllegalStateException(shard() + " shows nothing yet"));
    return CopyStatsOf.engine(
        progress(),
        shown.stats(),
        context.folder(),
        new CopyStatsOf.Own(
            visible.current(), 0, mappingVersion(), syncs.sum(), visible.waiting(), List.of()));
  }

  @Override
  public CopyRecovery recovery() {
    return recovery.read();
  }

  private long mappingVersion() {
    return context
        .node()
        .cluster()
        .current()
        .index(context.shard().indexUuid())
        .map(IndexMetadata::mappingVersion)
        .orElse(0L);
  }

  @Override
  public void close() {
    if (state == State.CLOSED) {
      return;
    }
    PartitionLog.Subscription following = subscription;
    if (following != null) {
      following.close();
    }
    stopWorking();
    joinWorker();
    state = State.CLOSED;
    started.completeExceptionally(new IllegalStateException("the copy is closed"));
    visible.close();
    sync();
    SegmentEngine opened = engine;
    if (opened != null) {
      opened.close();
    }
  }

  /** A round stops at its next piece; the interrupt ends a wait for a source that says nothing. */
  private void joinWorker() {
    Thread running = worker;
    if (running == null) {
      return;
    }
    running.interrupt();
    boolean interrupted = Thread.interrupted();
    while (running.isAlive()) {
      try {
        running.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
