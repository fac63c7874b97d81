package io.varve.shard.primary;

import io.varve.cluster.IndexSettings;
import io.varve.engine.Checkpoint;
import io.varve.engine.ClosedSegments;
import io.varve.events.Manifest;
import io.varve.events.StoredManifest;
import io.varve.host.CopyContext;
import io.varve.host.RecoveryProgress;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ErrorBody;
import io.varve.shard.remote.HeldSnapshots;
import io.varve.shard.remote.RemoteStore;
import io.varve.shard.remote.StoreUploads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A primary's use of the segment store: claims its term, starts from the stored manifest when that
 * is nearer to the log's end than the folder, uploads published snapshots. Does nothing for an
 * index that is not remote-backed.
 */
final class PrimaryStore implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PrimaryStore.class);

  /** Replaying up to that many operations is faster than fetching files from a store. */
  private static final long REPLAYED_SOONER_OPERATIONS = 20_000;

  /** The fastest way from the folder to the log's end. */
  private enum Nearness {
    REPLAYED_SOONER,
    FETCHED_SOONER,
    /** Operations that the folder lacks are in the store alone. */
    NOT_IN_THE_LOG
  }

  private final CopyContext context;
  private final @Nullable RemoteStore remote;
  private volatile ManifestLog.@Nullable Claim claim;
  private volatile @Nullable StoreUploads uploads;
  private volatile CopyStats.Downloads downloads = CopyStats.Downloads.NONE;

  /**
   * @param remote {@code null} when this node has no store
   */
  PrimaryStore(CopyContext context, @Nullable RemoteStore remote) {
    this.context = context;
    boolean remoteBacked = IndexSettings.isRemoteBacked(context.index().settings());
    this.remote = remoteBacked ? remote : null;
    if (remoteBacked && remote == null) {
      throw new ApiException(
          503,
          "illegal_state_exception",
          "the index is remote-backed and this node has no segment store");
    }
  }

  /** Before the folder is opened. Returns whether it was filled from the store. */
  boolean prepare(long term, PartitionLog operations, Path folder, RecoveryProgress recovery)
      throws LogException, IOException, InterruptedException {
    RemoteStore store = remote;
    if (store == null) {
      return false;
    }
    ManifestLog.Claim made = new ManifestLog(context.manifests()).claim(context.shard(), term);
    Manifest target = made.stored().manifest();
    claim = made;
    if (target == null) {
      return false;
    }
    context.node().blocking().execute(() -> store.announce(context, made.stored()));
    return switch (nearness(target, ClosedSegments.checkpoint(folder), operations)) {
      case REPLAYED_SOONER -> false;
      case FETCHED_SOONER -> fetchedUnlessDown(store, made.stored(), folder, recovery);
      case NOT_IN_THE_LOG -> {
        fetch(store, made.stored(), folder, recovery);
        yield true;
      }
    };
  }

  /** A store that is down does not delay a primary that can replay the log instead. */
  private boolean fetchedUnlessDown(
      RemoteStore store, StoredManifest stored, Path folder, RecoveryProgress recovery)
      throws InterruptedException {
    try {
      fetch(store, stored, folder, recovery);
      return true;
    } catch (IOException e) {
      LOG.warn("{} replays the log because the segment store failed", context.shard(), e);
      return false;
    }
  }

  private void fetch(
      RemoteStore store, StoredManifest stored, Path folder, RecoveryProgress recovery)
      throws IOException, InterruptedException {
    Manifest target = Objects.requireNonNull(stored.manifest(), "nothing is stored");
    LOG.info(
        "{} begins with generation {} of term {} from the segment store, {} bytes",
        context.shard(),
        target.generation(),
        target.term(),
        target.totalBytes());
    downloads = store.bootstrap().run(context, folder, stored, recovery);
  }

  private static Nearness nearness(Manifest stored, Checkpoint local, PartitionLog operations)
      throws LogException {
    if (stored.nextSeqNo() <= local.nextSeqNo()) {
      return Nearness.REPLAYED_SOONER;
    }
    // An index that was restored begins with operations that its log never had.
    boolean notInTheLog =
        stored.nextOffset() <= local.nextOffset() || local.nextOffset() < operations.startOffset();
    if (notInTheLog) {
      return Nearness.NOT_IN_THE_LOG;
    }
    return stored.nextSeqNo() - local.nextSeqNo() > REPLAYED_SOONER_OPERATIONS
        ? Nearness.FETCHED_SOONER
        : Nearness.REPLAYED_SOONER;
  }

  /** Begins to upload published snapshots. */
  void start(HeldSnapshots snapshots) {
    RemoteStore store = remote;
    ManifestLog.Claim claimed = claim;
    if (store != null && claimed != null) {
      StoreUploads made = new StoreUploads(context, store.access(), claimed, snapshots);
      uploads = made;
      made.start();
    }
  }

  void published(Manifest manifest) {
    StoreUploads running = uploads;
    if (running != null) {
      running.published(manifest);
    }
  }

  /** Waits until the store holds that generation completely; true at once without a store. */
  boolean awaitStored(long generation, Duration timeout) throws InterruptedException {
    StoreUploads running = uploads;
    return running == null || running.awaitStored(generation, timeout);
  }

  /**
   * The next offset of what the segment store has held for its grace, -1 for nothing; {@code null}
   * for an index without one.
   */
  @Nullable Long heldOffset() {
    if (remote == null) {
      return null;
    }
    StoreUploads running = uploads;
    return running == null ? -1 : running.heldOffset();
  }

  /** The reason to refuse writes now; empty if they are accepted. */
  Optional<ErrorBody> refusal() {
    StoreUploads running = uploads;
    return running == null ? Optional.empty() : running.refusal();
  }

  /** The downloads of the recovery. */
  CopyStats.Downloads downloads() {
    return downloads;
  }

  CopyStats.@Nullable Uploads uploads() {
    StoreUploads running = uploads;
    return running == null ? null : running.stats().read();
  }

  @Override
  public void close() {
    StoreUploads running = uploads;
    if (running != null) {
      running.close();
    }
  }
}
