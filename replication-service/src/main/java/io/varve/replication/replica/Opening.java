package io.varve.replication.replica;

import io.varve.engine.EngineException;
import io.varve.engine.RemoteView;
import io.varve.engine.SegmentEngine;
import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.store.CopyFolder;
import io.varve.store.ExponentialBackOff;
import io.varve.store.Joining;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows a copy's newest manifest while its files are still being copied: searches read the blocks
 * that they need from the sources of the files, so that the time to the first answer does not
 * depend on the size of the shard. Newer manifests are opened as they are published.
 *
 * <pre>
 *   IDLE -> OPEN     a round has to fetch many bytes ({@link OpeningSettings})
 *   OPEN -> ENDED    the shown manifest's files are local
 *   IDLE -> ENDED    they were local before a manifest was opened
 * </pre>
 *
 * INVARIANT: after ENDED, no manifest is opened, so a copy that has started shows local files.
 */
final class Opening implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Opening.class);
  private static final ExponentialBackOff BACK_OFF =
      new ExponentialBackOff(200, 5_000, () -> ThreadLocalRandom.current().nextDouble());

  /** Time for which copying is delayed so that the first opening can begin. */
  private static final long HEAD_START_MILLIS = 2_000;

  private final CopyContext context;
  private final SegmentEngine engine;
  private final OpeningFiles files;
  private final Supplier<@Nullable Manifest> newest;
  private final Consumer<Manifest> opened;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final CompletableFuture<@Nullable Void> firstAttempt = new CompletableFuture<>();
  private @Nullable Thread worker;
  private boolean ended;

  /**
   * @param known the manifests of the shard, of which the newest is opened
   * @param opened called with each manifest that is shown from then on, under the lock of this
   */
  Opening(
      CopyContext context,
      SegmentTransfers transfers,
      SegmentEngine engine,
      CopySources.Known known,
      Consumer<Manifest> opened) {
    this.context = context;
    this.engine = engine;
    this.newest = known.newest();
    this.opened = opened;
    CopySources sources =
        new CopySources(context, transfers.forReads(), known, context.copyId() + ".opening");
    this.files = new OpeningFiles(sources, new CopyFolder(context.folder().resolve("index")));
  }

  /** The bytes read remotely for searches. */
  long bytes() {
    return files.bytes();
  }

  /** A round is about to fetch that many bytes: for a short time, opening takes precedence. */
  void lacks(long missingBytes) {
    OpeningSettings settings = OpeningSettings.of(context.node().cluster().current());
    boolean worthIt = settings.enabled() && missingBytes >= settings.minBytes() && isForSearches();
    lock.lock();
    try {
      if (worthIt && !ended && worker == null) {
        worker = Thread.ofVirtual().name("opening-" + context.shard()).start(this::work);
      }
      if (worker == null || ended) {
        return;
      }
    } finally {
      lock.unlock();
    }
    var _ =
        firstAttempt
            .copy()
            .completeOnTimeout(null, HEAD_START_MILLIS, TimeUnit.MILLISECONDS)
            .join();
  }

  /** The target of a relocation is not searched before the hand-over. */
  private boolean isForSearches() {
    return context.routing().flatMap(shard -> shard.copy(context.copyId())).isPresent();
  }

  /** A newer manifest was published. */
  void seen() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    int failures = 0;
    try {
      while (true) {
        Manifest next = newest.get();
        Manifest shown = engine.shown();
        boolean due = next != null && (shown == null || next.isNewerThan(shown));
        failures = due && !tryOpen(next) ? failures + 1 : 0;
        firstAttempt.complete(null);
        if (!awaitNext(next, failures)) {
          return;
        }
        files.renew(context.node().clock().millis());
      }
    } catch (InterruptedException e) {
      LOG.debug("{} is closed while it is opened", context.shard());
    } finally {
      firstAttempt.complete(null);
    }
  }

  /**
   * Returns false if it cannot be opened now. Opening is retried, and the files are copied in any
   * case.
   */
  private boolean tryOpen(Manifest manifest) {
    OpeningFiles.ManifestSource source = files.begin(manifest);
    try (RemoteView view = engine.prepare(manifest, files, source::close)) {
      lock.lock();
      try {
        if (!ended && engine.open(view)) {
          opened.accept(manifest);
        }
      } finally {
        lock.unlock();
      }
      return true;
    } catch (EngineException e) {
      LOG.info("{} is not opened before it is copied: {}", context.shard(), e.toString());
      return false;
    }
  }

  /**
   * Waits until there is a newer manifest, or until it is time to retry or to renew leases; false
   * at the end.
   */
  private boolean awaitNext(@Nullable Manifest before, int failures) throws InterruptedException {
    long leaseMillis = context.node().settings().snapshotLeaseMillis();
    long millis = failures > 0 ? BACK_OFF.delayMillis(failures) : leaseMillis / 3;
    long left = TimeUnit.MILLISECONDS.toNanos(millis);
    lock.lock();
    try {
      while (!ended && left > 0 && (failures > 0 || !isNewer(newest.get(), before))) {
        left = changed.awaitNanos(left);
      }
      return !ended;
    } finally {
      lock.unlock();
    }
  }

  private static boolean isNewer(@Nullable Manifest next, @Nullable Manifest before) {
    return next != null && (before == null || next.isNewerThan(before));
  }

  /** Ends this if all files of the shown manifest are local. */
  boolean endIfLocal() {
    lock.lock();
    try {
      if (engine.opened() != null) {
        return false;
      }
      ended = true;
      changed.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Returns when nothing is being opened; the shown manifest stays open. */
  @Override
  public void close() {
    Thread running;
    lock.lock();
    try {
      ended = true;
      running = worker;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (running != null) {
      running.interrupt();
      Joining.uninterruptibly(List.of(running));
    }
  }
}
