package io.varve.shard.remote;

import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import io.varve.host.CopyContext;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.process.FatalErrors;
import io.varve.rpc.ErrorBody;
import io.varve.store.ExponentialBackOff;
import io.varve.store.Joining;
import io.varve.store.SegmentStore;
import io.varve.store.StoreAccess;
import io.varve.store.StoredPoints;
import io.varve.store.Uploader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Uploads the snapshots that a primary publishes to the segment store, without delaying refreshes.
 *
 * <pre>
 *   files -> the manifest's own object -> the stored manifest's record
 * </pre>
 *
 * One upload runs at a time. It sends the newest snapshot at its start, so a snapshot that is
 * superseded during another upload is never sent. Uploads are at least the configured interval
 * apart; after a failure the pause grows exponentially. The record is the commit point: objects in
 * the store without a record are garbage and are collected.
 */
public final class StoreUploads implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StoreUploads.class);

  private final CopyContext context;
  private final StoreAccess access;
  private final ManifestLog log;
  private final HeldSnapshots snapshots;
  private final Uploader uploader;
  private final StoredPoints points;
  private final GarbageRun garbage;
  private final HeldOffset heldOffset;
  private final UploadStats stats;
  private final UploadSchedule schedule;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread thread;
  private volatile StoredManifest stored;
  private @Nullable Manifest published;

  /** The newest manifest in the store, whether or not the log has its record. */
  private @Nullable StoredManifest unnamed;

  /** False after a check found that the store lacks objects that {@link #stored} names. */
  private boolean whole = true;

  private boolean closed;

  /**
   * @param claim the claim of the primary's term
   * @param snapshots the snapshots that the primary has published
   */
  public StoreUploads(
      CopyContext context, StoreAccess access, ManifestLog.Claim claim, HeldSnapshots snapshots) {
    this.context = context;
    this.access = access;
    this.stored = claim.stored();
    this.snapshots = snapshots;
    this.heldOffset = new HeldOffset(access.settings().retention().graceMillis());
    this.schedule =
        new UploadSchedule(
            access.settings().uploadIntervalMillis(),
            access.settings().retention().everyMillis(),
            new ExponentialBackOff(1_000, 10_000, () -> ThreadLocalRandom.current().nextDouble()));
    log = new ManifestLog(context.manifests());
    uploader = new Uploader(access, context.shard(), claim.stored().term());
    points = new StoredPoints(access.store());
    TermClaim highest = new TermClaim(log, claim);
    garbage = new GarbageRun(context.shard(), access, highest, context.node().clock());
    stats =
        new UploadStats(
            context.node().clock(),
            () -> StorePressure.Limits.window(context.node().cluster().current()));
    thread = Thread.ofVirtual().name("store-uploads-" + context.shard()).unstarted(this::work);
  }

  public void start() {
    schedule.begin(now());
    thread.start();
  }

  /** Must be called when the log has a newer manifest; does not wait for the upload. */
  public void published(Manifest manifest) {
    stats.published(manifest);
    lock.lock();
    try {
      published = manifest;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the store holds that generation of this term completely; false after the timeout.
   */
  public boolean awaitStored(long generation, Duration timeout) throws InterruptedException {
    long nanos = timeout.toNanos();
    lock.lock();
    try {
      while (!holds(generation)) {
        if (closed || nanos <= 0) {
          return false;
        }
        nanos = changed.awaitNanos(nanos);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean holds(long generation) {
    Manifest held = stored.manifest();
    Manifest newest = published;
    return newest == null
        || generation < 0
        || (held != null && held.term() == newest.term() && held.generation() >= generation);
  }

  /** The newest manifest that the store holds completely, or this term's claim. */
  public StoredManifest stored() {
    return stored;
  }

  /**
   * The next offset of the newest manifest that the store has held completely for its grace period;
   * -1 for none.
   */
  public long heldOffset() {
    lock.lock();
    try {
      return heldOffset.at(now());
    } finally {
      lock.unlock();
    }
  }

  public UploadStats stats() {
    return stats;
  }

  /** The reason for which writes are rejected now; empty if they are accepted. */
  public Optional<ErrorBody> refusal() {
    ShardId shard = context.shard();
    return stats
        .refusal(
            "[" + context.index().name() + "][" + shard.number() + "]",
            StorePressure.Limits.of(context.node().cluster().current()),
            access.settings().uploadIntervalMillis())
        .map(reason -> ErrorBody.of(429, "rejected_execution_exception", reason));
  }

  private void work() {
    try {
      while (awaitWork()) {
        sendNewest();
        collectGarbageOrWait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      FatalErrors.endOn(e);
      LOG.error("{} stopped uploading to the segment store", context.shard(), e);
      throw e;
    }
  }

  private void sendNewest() throws InterruptedException {
    try (HeldSnapshots.Held held = snapshots.holdNewest()) {
      if (held != null) {
        upload(held);
      }
    } catch (RuntimeException e) {
      LOG.error("{} could not upload its newest snapshot", context.shard(), e);
      schedule.failed(now());
    }
  }

  private void collectGarbageOrWait() throws InterruptedException {
    try {
      collectGarbage();
    } catch (RuntimeException e) {
      LOG.error("{} could not delete garbage from the segment store", context.shard(), e);
      schedule.failed(now());
    }
  }

  /** Waits until an upload or a garbage collection is due; false after {@link #close}. */
  private boolean awaitWork() throws InterruptedException {
    lock.lock();
    try {
      while (!closed) {
        long waitMillis = schedule.waitMillis(isDue(), now());
        if (waitMillis <= 0) {
          return true;
        }
        changed.await(waitMillis, TimeUnit.MILLISECONDS);
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  private boolean isDue() {
    Manifest done = stored.manifest();
    return published != null && (done == null || published.isNewerThan(done));
  }

  private void upload(HeldSnapshots.Held held) throws InterruptedException {
    Manifest manifest = held.manifest();
    Manifest done = stored.manifest();
    if (done != null && !manifest.isNewerThan(done)) {
      return;
    }
    long began = now();
    long bytesBefore = uploader.bytes();
    try {
      StoredManifest next = inTheStore(held);
      log.append(next);
      nowStored(next);
      stats.succeeded(manifest, uploader.bytes() - bytesBefore, now() - began);
      schedule.uploaded(now());
    } catch (IOException | LogException | RuntimeException e) {
      stats.failed(uploader.bytes() - bytesBefore);
      LOG.warn(
          "{} could not upload generation {} to the segment store, attempt {}: {}",
          context.shard(),
          manifest.generation(),
          schedule.attempt(),
          e.toString());
      schedule.failed(now());
    }
    context.host().progressed();
  }

  /**
   * Uploads a snapshot. If its manifest is stored already and only the record is missing, nothing
   * is uploaded again.
   */
  private StoredManifest inTheStore(HeldSnapshots.Held held)
      throws IOException, InterruptedException {
    StoredManifest there = unnamed;
    if (there == null || !held.manifest().equals(there.manifest())) {
      there = uploader.upload(held.manifest(), whole ? stored : null, held.snapshot()::path);
      whole = true;
      points.put(new StoredPoints.Point(there, Json.mapper().valueToTree(context.index())));
      unnamed = there;
    }
    return there;
  }

  private void nowStored(StoredManifest next) {
    Manifest manifest = next.manifest();
    lock.lock();
    try {
      stored = next;
      if (manifest != null) {
        heldOffset.stored(manifest.nextOffset(), now());
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void collectGarbage() throws InterruptedException {
    if (!schedule.takeGarbageCollection(now())) {
      return;
    }
    try {
      Set<SegmentStore.Key> lost = garbage.run(stored);
      if (!lost.isEmpty()) {
        lost(lost);
      }
    } catch (IOException | LogException | RuntimeException e) {
      LOG.warn(
          "{} could not delete garbage from the segment store: {}", context.shard(), e.toString());
    }
  }

  /**
   * Handles the loss of objects. The log keeps all operations until the store has held the next
   * upload, which sends every file, for the grace period.
   */
  private void lost(Set<SegmentStore.Key> lost) {
    LOG.error(
        "{} the segment store has lost {} objects that its newest manifest names, the first is {};"
            + " the next upload sends all files again",
        context.shard(),
        lost.size(),
        lost.iterator().next().path());
    lock.lock();
    try {
      whole = false;
      heldOffset.lost();
    } finally {
      lock.unlock();
    }
  }

  private long now() {
    return context.node().clock().millis();
  }

  /** Ends the current upload; the objects that it has written become garbage. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    thread.interrupt();
    Joining.uninterruptibly(List.of(thread));
  }
}
