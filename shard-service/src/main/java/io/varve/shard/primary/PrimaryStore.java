package io.varve.shard.primary;

import io.varve.cluster.IndexSettings;
import io.varve.events.Manifest;
import io.varve.events.StoredManifest;
import io.varve.host.CopyContext;
import io.varve.host.OpenedLog;
import io.varve.host.RecoveryProgress;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
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
 * Uses the segment store for a primary: claims its term, fills its folder with the files of the
 * stored manifest, and uploads published snapshots. Does nothing for an index that is not
 * remote-backed.
 */
final class PrimaryStore implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PrimaryStore.class);

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

  /** Whether the index is remote-backed. */
  boolean isUsed() {
    return remote != null;
  }

  /**
   * Claims the term.
   *
   * @throws LogException.Unavailable including the case that a higher term has claimed the store
   */
  void claim(long term) throws LogException, InterruptedException {
    RemoteStore store = used();
    ManifestLog.Claim made = new ManifestLog(context.manifests()).claim(context.shard(), term);
    claim = made;
    if (made.stored().manifest() != null) {
      context.node().blocking().execute(() -> store.announce(context, made.stored()));
    }
  }

  /** The position of the manifest that the claim found in the store; {@code null} for none. */
  @Nullable LogPosition stored() {
    ManifestLog.Claim claimed = claim;
    Manifest manifest = claimed == null ? null : claimed.stored().manifest();
    return manifest == null ? null : OpenedLog.position(manifest);
  }

  /**
   * Fills a folder that is not open with the files of the manifest that the claim found.
   *
   * @throws IOException the store does not answer, or lacks a file
   */
  void fetch(Path folder, RecoveryProgress recovery) throws IOException, InterruptedException {
    StoredManifest stored = Objects.requireNonNull(claim, "no term is claimed").stored();
    Manifest target = Objects.requireNonNull(stored.manifest(), "no manifest is stored");
    LOG.info(
        "{} fetches generation {} of term {} from the segment store, {} bytes",
        context.shard(),
        target.generation(),
        target.term(),
        target.totalBytes());
    downloads = used().bootstrap().run(context, folder, stored, recovery);
  }

  private RemoteStore used() {
    return Objects.requireNonNull(remote, "the index is not remote-backed");
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

  /**
   * Waits until the store holds that generation completely; returns true immediately without a
   * store.
   */
  boolean awaitStored(long generation, Duration timeout) throws InterruptedException {
    StoreUploads running = uploads;
    return running == null || running.awaitStored(generation, timeout);
  }

  /**
   * The next offset of the manifest that the segment store has held for the grace period; -1 for
   * none; {@code null} for an index without a store.
   */
  @Nullable Long heldOffset() {
    if (remote == null) {
      return null;
    }
    StoreUploads running = uploads;
    return running == null ? -1 : running.heldOffset();
  }

  /** The reason for which writes are refused now; empty if they are accepted. */
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
