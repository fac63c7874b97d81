package io.varve.replication.replica;

import io.varve.engine.EngineException;
import io.varve.engine.ReaderWarmer;
import io.varve.engine.SearchableCopy;
import io.varve.engine.SegmentEngine;
import io.varve.events.CopyProgress;
import io.varve.events.Manifest;
import io.varve.events.MergedSegment;
import io.varve.events.ShardId;
import io.varve.events.SnapshotId;
import io.varve.host.CopyContext;
import io.varve.host.RecoveryCourse;
import io.varve.host.RecoveryFiles;
import io.varve.host.ShardCopy;
import io.varve.host.SnapshotSource;
import io.varve.host.log.OpenedLog;
import io.varve.host.reading.Freshness;
import io.varve.host.reading.LogEnd;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopyStats;
import io.varve.store.CopySchedule;
import io.varve.store.ExponentialBackOff;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
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
 *   OPENED     brings it, and shows it already, from where its files are ({@link Opening})
 *   STARTED    shows a manifest, follows those that come
 *   FAILED     the folder can't be used as it is, or the manifests are gone
 * </pre>
 *
 * <p>{@link ManifestFeed} says what there is to show, {@link CopyRounds} when it is fetched, {@link
 * ReplicaParts} how; {@link ShownPlace} is what readers wait for.
 */
public final class SegmentReplicaCopy implements ShardCopy {

  private static final Logger LOG = LoggerFactory.getLogger(SegmentReplicaCopy.class);
  private static final int FAILURES_UNTIL_REOPENED = 5;

  private final CopyContext context;
  private final SegmentTransfers transfers;
  private final ShownPlace place;
  private final CompletableFuture<@Nullable Void> started = new CompletableFuture<>();
  private final ManifestFeed feed;
  private final CopyRounds rounds;
  private final RecoveryCourse recovery;
  private final ReplicaFigures figures;
  private final OthersShow others;
  private volatile ReaderWarmer warmer = ReaderWarmer.NONE;
  private volatile State state = State.EMPTY;
  private volatile @Nullable ReplicaParts parts;
  private volatile boolean closing;
  private int copyFailuresInARow;

  public SegmentReplicaCopy(CopyContext context, SegmentTransfers transfers) {
    this(context, transfers, CopyRounds.BACK_OFF);
  }

  /**
   * @param retries how long to wait after rounds that failed
   */
  SegmentReplicaCopy(CopyContext context, SegmentTransfers transfers, ExponentialBackOff retries) {
    this.context = context;
    this.transfers = transfers;
    this.recovery = new RecoveryCourse(context, false);
    this.place =
        new ShownPlace(
            context, this::shown, this::want, lost -> fail(String.valueOf(lost.getMessage())));
    this.rounds = new CopyRounds(context, new Rounds(), retries);
    this.figures = new ReplicaFigures(context, rounds, place.visible());
    this.feed =
        new ManifestFeed(
            context.manifests(),
            transfers.store() != null,
            manifest -> {
              rounds.seen(manifest);
              newer();
              context.host().progressed();
            },
            this::fail);
    this.others = new OthersShow(context, feed, place.visible());
  }

  @Override
  public void warmWith(ReaderWarmer newWarmer) {
    warmer = newWarmer;
  }

  @Override
  public void start() throws Exception {
    enter(State.STARTING);
    recovery.enter(RecoveryCourse.Stage.INDEX);
    OpenedLog.requireForReplica(context);
    ReplicaParts made = ReplicaParts.open(context, transfers, warmer, feed, new Owner());
    parts = made;
    SegmentEngine opened = made.engine();
    Manifest kept = opened.installed();
    if (kept != null) {
      made.snapshots().shown(opened);
      rounds.achieved(kept);
      place.show(kept);
      recovery.type(RecoveryCourse.Type.EXISTING_STORE);
      recovery.fromFolder(RecoveryFiles.committed(opened.segments()));
    }
    feed.follow();
    OpenedLog.requireShown(context, feed.newest());
    enter(State.COPYING);
    if (kept != null && rounds.upToDate()) {
      markStarted();
    }
    rounds.start();
    awaitStarted();
  }

  private void awaitStarted() throws Exception {
    try {
      started.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** What becomes of this copy from round to round. */
  private final class Rounds implements CopyRounds.Owner {

    @Override
    public SegmentFollower.Ended run(Manifest target) throws InterruptedException {
      ReplicaParts now = parts;
      figures.roundBegins();
      return now == null ? new SegmentFollower.Ended.Stopped() : now.follower().run(target);
    }

    @Override
    public void ended(SegmentFollower.Ended ended) {
      switch (ended) {
        case SegmentFollower.Ended.Installed(Manifest manifest) -> {
          copyFailuresInARow = 0;
          figures.installed(manifest);
          place.show(manifest);
          if (rounds.upToDate()) {
            markStarted();
          }
        }
        case SegmentFollower.Ended.Failed failed -> roundFailed(failed);
        case SegmentFollower.Ended.Stopped _ -> {}
      }
      context.host().progressed();
    }

    @Override
    public boolean sync() {
      ReplicaParts now = parts;
      if (now == null) {
        return true;
      }
      try {
        now.engine().sync();
        figures.synced();
        return true;
      } catch (EngineException e) {
        LOG.warn("{} could not make its files durable; a restart verifies them", shard(), e);
        return false;
      }
    }

    @Override
    public void broken(String reason) {
      fail(reason);
    }
  }

  /** What its parts tell it. */
  private final class Owner implements ReplicaParts.Owner {

    @Override
    public void opened(Manifest manifest) {
      SegmentReplicaCopy.this.opened(manifest);
    }

    @Override
    public void missing(long bytes) {
      figures.missing(bytes);
    }

    @Override
    public long missingBytes() {
      return figures.missingBytes();
    }

    @Override
    public MergedArrivals merges() {
      return SegmentReplicaCopy.this.merges();
    }

    @Override
    public RecoveryCourse recovery() {
      return recovery;
    }
  }

  /** Shown before its files are here. */
  private void opened(Manifest manifest) {
    place.show(manifest);
    if (state == State.COPYING) {
      enter(State.OPENED);
    }
  }

  private void newer() {
    ReplicaParts now = parts;
    if (now != null) {
      now.opening().seen();
    }
  }

  private @Nullable Manifest shown() {
    ReplicaParts now = parts;
    return now == null ? null : now.engine().shown();
  }

  private void roundFailed(SegmentFollower.Ended.Failed failed) {
    LOG.warn(
        "{} could not copy generation {} of term {} ({}): {}",
        shard(),
        failed.target().generation(),
        failed.target().term(),
        failed.failure(),
        failed.reason());
    switch (failed.failure()) {
      case SOURCE_GONE, SOURCE_UNREACHABLE -> {
        if (!goesOnAtOnce(failed)) {
          startWithoutSource(failed.reason());
        }
      }
      case DISK_FULL -> {
        // A copy that serves goes on with what it shows; one that is built may be built elsewhere.
        startWithoutSource(failed.reason());
        if (state != State.STARTED) {
          reopenAfterSome(failed);
        }
      }
      case COPY_BROKEN -> reopenAfterSome(failed);
    }
  }

  /** Opening anew verifies every file and drops those that are damaged. */
  private void reopenAfterSome(SegmentFollower.Ended.Failed failed) {
    if (++copyFailuresInARow >= FAILURES_UNTIL_REOPENED) {
      fail(failed.reason());
    }
  }

  /** Who published it holds a newer one in its place, which is next. */
  private boolean goesOnAtOnce(SegmentFollower.Ended.Failed failed) {
    Manifest newest = feed.newest();
    return failed.failure() == CopySchedule.Failure.SOURCE_GONE
        && newest != null
        && newest.isNewerThan(failed.target());
  }

  /** Where nobody else serves, a copy that holds something is worth more than none. */
  private void startWithoutSource(String reason) {
    ReplicaParts now = parts;
    boolean starting = state == State.COPYING || state == State.OPENED;
    if (!starting || now == null || installed() == null || !others.startsBehind()) {
      return;
    }
    if (now.engine().opened() == null) {
      LOG.warn("{} starts behind what others showed: nobody else serves", shard());
      markStarted();
    } else {
      // What is shown can't be taken back: a new copy begins with what is here.
      fail(reason);
    }
  }

  private void markStarted() {
    ReplicaParts now = parts;
    boolean begun = state == State.COPYING || state == State.OPENED;
    if (begun && now != null && now.opening().endIfLocal()) {
      enter(State.STARTED);
      recovery.enter(RecoveryCourse.Stage.DONE);
      started.complete(null);
    }
  }

  @Override
  public boolean showNewest(Duration timeout) throws Exception {
    return others.mayBeReported(timeout);
  }

  @Override
  public boolean showsNewest(Duration timeout) throws Exception {
    return others.isShown(timeout);
  }

  @Override
  public boolean serves() {
    return state == State.STARTED && others.isCaughtUp();
  }

  private MergedArrivals merges() {
    ReplicaParts now = parts;
    if (now == null) {
      throw new IllegalStateException(shard() + " is not open");
    }
    return now.follower().merged();
  }

  @Override
  public MergedSegment.Answer merged(MergedSegment segment, long waitMillis)
      throws InterruptedException {
    // One that is still being built has more urgent work.
    return state == State.STARTED
        ? merges().announced(segment, term(), waitMillis)
        : ShardCopy.super.merged(segment, waitMillis);
  }

  /** Merged segments that come ahead of their manifest just now. */
  int mergesUnderWay() {
    return merges().segmentsUnderWay();
  }

  @Override
  public void mergeIsOver(SnapshotId merge) {
    if (parts != null) {
      merges().over(merge);
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
    closing = true;
    rounds.stop();
    ReplicaParts now = parts;
    if (now != null) {
      now.follower().stop();
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
    Manifest shown = installed();
    return shown == null ? 0 : shown.term();
  }

  private @Nullable Manifest installed() {
    ReplicaParts now = parts;
    return now == null ? null : now.engine().installed();
  }

  /** A promoted replica replays from the manifest that it holds. */
  @Override
  public long durableOffset() {
    ReplicaParts now = parts;
    Manifest durable = now == null ? null : now.engine().durable();
    return durable == null ? -1 : durable.nextOffset();
  }

  @Override
  public Optional<SearchableCopy> searchable() {
    ReplicaParts now = parts;
    boolean ended = state == State.CLOSED || state == State.FAILED;
    return now == null || now.engine().shown() == null || ended
        ? Optional.empty()
        : Optional.of(now.engine());
  }

  @Override
  public OffsetWatcher visible() {
    return place.visible();
  }

  @Override
  public LogEnd logEnd() {
    return place.logEnd();
  }

  @Override
  public Freshness freshness() {
    return place.freshness();
  }

  @Override
  public void flush() {
    ReplicaParts now = parts;
    if (now != null) {
      now.engine().sync();
      figures.synced();
    }
  }

  @Override
  public CopyProgress progress() {
    return figures.progress(state, parts);
  }

  @Override
  public CopyStats stats() {
    SearchableCopy shown =
        searchable().orElseThrow(() -> new IllegalStateException(shard() + " shows nothing yet"));
    return figures.stats(state, parts, shown.stats());
  }

  @Override
  public Optional<SnapshotSource> snapshots() {
    ReplicaParts now = parts;
    return now == null ? Optional.empty() : Optional.of(now.snapshots());
  }

  @Override
  public CopyRecovery recovery() {
    return recovery.read();
  }

  @Override
  public void close() {
    if (state == State.CLOSED) {
      return;
    }
    ReplicaParts now = parts;
    try {
      feed.close();
      endWork(now);
    } finally {
      state = State.CLOSED;
      started.completeExceptionally(new IllegalStateException("the copy is closed"));
      letGo(now);
    }
  }

  /** Nobody writes into the folder when this returns, nor when it throws. */
  private void endWork(@Nullable ReplicaParts now) {
    stopWorking();
    try {
      if (now != null) {
        now.opening().close();
      }
    } finally {
      try {
        rounds.close();
      } finally {
        if (now != null) {
          now.follower().merged().close();
        }
      }
    }
  }

  private void letGo(@Nullable ReplicaParts now) {
    try {
      place.close();
      if (now != null) {
        now.snapshots().close();
      }
    } finally {
      if (now != null) {
        now.engine().close();
      }
    }
  }
}
