package io.varve.replication.replica;

import io.varve.engine.SearchableCopy;
import io.varve.events.CopyProgress;
import io.varve.events.Manifest;
import io.varve.events.MergedSegment;
import io.varve.events.SnapshotId;
import io.varve.host.AbstractShardCopy;
import io.varve.host.CopyContext;
import io.varve.host.OpenedLog;
import io.varve.host.RecoveryFiles;
import io.varve.host.RecoveryProgress;
import io.varve.host.SnapshotSource;
import io.varve.host.reading.LogEnd;
import io.varve.rpc.CopyStats;
import io.varve.store.ExponentialBackOff;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A copy that receives its segments: follows the shard's manifests and shows the newest, fetching
 * missing files from the node that published it or from other copies.
 *
 * <pre>
 *   STARTING   opens what the folder holds; an earlier manifest is served from here on
 *   COPYING    fetches the newest manifest's files
 *   OPENED     fetches them, and shows the manifest before they are local ({@link Opening})
 *   STARTED    shows a manifest and follows newer ones; answers reads once it may be reported as
 *              started
 *   FAILED     the folder can't be used as it is, or the topic of the manifests is gone
 * </pre>
 *
 * <p>{@link SegmentReplicaLife} defines the transitions between these states. {@link ManifestFeed}
 * reads the published manifests; {@link ReplicaWorker} copies and shows them, one round after
 * another.
 */
public final class SegmentReplicaCopy extends AbstractShardCopy<SegmentReplicaLife> {

  private final CopyContext context;
  private final SegmentTransfers transfers;
  private final CopyRounds rounds;
  private final ReplicaStats stats;
  private final ShownPosition position;
  private final ManifestFeed feed;
  private final ReplicaReadiness readiness;
  private final ReplicaWorker worker;

  public SegmentReplicaCopy(CopyContext context, SegmentTransfers transfers) {
    this(context, transfers, CopyRounds.BACK_OFF);
  }

  /**
   * @param retries the back-off after failed rounds
   */
  SegmentReplicaCopy(CopyContext context, SegmentTransfers transfers, ExponentialBackOff retries) {
    super(context, false, new SegmentReplicaLife());
    this.context = context;
    this.transfers = transfers;
    this.rounds = new CopyRounds(context, retries);
    this.stats = new ReplicaStats(context, rounds, visible(), recoveryProgress());
    this.position =
        new ShownPosition(
            context, visible(), this::shown, lost -> fail(String.valueOf(lost.getMessage())));
    this.feed =
        new ManifestFeed(
            context.manifests(), transfers.store() != null, this::published, this::fail);
    this.readiness = new ReplicaReadiness(context, feed, visible());
    this.worker = new ReplicaWorker(context, life(), rounds, stats, position, readiness);
  }

  @Override
  public void start() throws Exception {
    life().starting();
    progressed();
    recoveryProgress().enter(RecoveryProgress.Stage.INDEX);
    OpenedLog.requireForReplica(context);
    ReplicaParts made = openFolder();
    life().holding(made);
    Manifest kept = made.engine().installed();
    if (kept != null) {
      made.snapshots().shown(made.engine());
      rounds.achieved(kept);
      position.show(kept);
      recoveryProgress().type(RecoveryProgress.Type.EXISTING_STORE);
      recoveryProgress().fromFolder(RecoveryFiles.committed(made.engine().segments()));
    }
    feed.follow();
    OpenedLog.requireShown(context, feed.newest());
    if (life().copying()) {
      progressed();
      worker.start(made);
    }
    worker.awaitStarted();
  }

  private ReplicaParts openFolder() {
    ReplicaFolder folder =
        ReplicaFolder.open(context, transfers, context.folder().resolve("index"));
    folder.engine().warmWith(warmer());
    return ReplicaParts.of(folder, feed, stats, recoveryProgress(), this::opened);
  }

  private void published(Manifest manifest) {
    rounds.seen(manifest);
    parts().ifPresent(now -> now.opening().seen());
    progressed();
  }

  /** That manifest is shown before its files are local. */
  private void opened(Manifest manifest) {
    position.show(manifest);
    if (life().opened()) {
      progressed();
    }
  }

  private void fail(String reason) {
    worker.fail(reason);
  }

  private Optional<ReplicaParts> parts() {
    return life().now().parts();
  }

  private @Nullable Manifest shown() {
    return parts().map(now -> now.engine().shown()).orElse(null);
  }

  @Override
  public boolean showNewest(Duration timeout) throws Exception {
    return readiness.mayBeReported(timeout);
  }

  @Override
  public boolean showsNewest(Duration timeout) throws Exception {
    return readiness.isShown(timeout);
  }

  @Override
  public boolean serves() {
    return state() == State.STARTED && readiness.answersReads();
  }

  @Override
  public MergedSegment.Answer merged(MergedSegment segment, long waitMillis)
      throws InterruptedException {
    // A copy that is being built has more urgent work, and files that this process can't read are
    // not fetched.
    return !stats.isUnreadable()
            && life().now() instanceof SegmentReplicaLife.Started(ReplicaParts now)
        ? now.merges().announced(segment, term(), waitMillis)
        : super.merged(segment, waitMillis);
  }

  /** The merged segments that are being fetched ahead of their manifest. */
  int mergesUnderWay() {
    return parts().orElseThrow().merges().segmentsUnderWay();
  }

  @Override
  public void mergeIsOver(SnapshotId merge) {
    parts().ifPresent(now -> now.merges().over(merge));
  }

  @Override
  public long term() {
    Manifest shown = installed();
    return shown == null ? 0 : shown.term();
  }

  private @Nullable Manifest installed() {
    return parts().map(now -> now.engine().installed()).orElse(null);
  }

  /** A promoted replica replays from the manifest that it holds. */
  @Override
  public long durableOffset() {
    return parts().map(now -> now.engine().durable()).map(Manifest::nextOffset).orElse(-1L);
  }

  @Override
  public Optional<SearchableCopy> searchable() {
    SegmentReplicaLife.Phase now = life().now();
    boolean ended = now.state() == State.CLOSED || now.state() == State.FAILED;
    return ended
        ? Optional.empty()
        : now.parts()
            .map(ReplicaParts::engine)
            .filter(engine -> engine.shown() != null)
            .map(SearchableCopy.class::cast);
  }

  @Override
  public LogEnd logEnd() {
    return position.logEnd();
  }

  @Override
  public void flush() {
    parts()
        .ifPresent(now -> {
          now.engine().sync();
          stats.synced();
        });
  }

  @Override
  public CopyProgress progress() {
    return stats.progress(life().now());
  }

  @Override
  public CopyStats stats() {
    SearchableCopy shown =
        searchable().orElseThrow(() -> new IllegalStateException(shard() + " shows nothing yet"));
    return stats.stats(life().now(), shown.stats());
  }

  @Override
  public Optional<SnapshotSource> snapshots() {
    return parts().map(ReplicaParts::snapshots);
  }

  @Override
  public void close() {
    if (!life().closing()) {
      return;
    }
    ReplicaParts now = parts().orElse(null);
    try {
      feed.close();
      endWork(now);
    } finally {
      life().closed();
      worker.closed();
      letGo(now);
    }
  }

  /** Nothing writes into the folder after this returns or throws. */
  private void endWork(@Nullable ReplicaParts now) {
    worker.stopWorking();
    try {
      if (now != null) {
        now.opening().close();
      }
    } finally {
      try {
        worker.awaitEnd();
      } finally {
        if (now != null) {
          now.merges().close();
        }
      }
    }
  }

  private void letGo(@Nullable ReplicaParts now) {
    try {
      position.close();
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
