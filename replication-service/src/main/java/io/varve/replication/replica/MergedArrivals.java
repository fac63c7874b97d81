package io.varve.replication.replica;

import io.varve.events.Manifest;
import io.varve.events.MergedSegment;
import io.varve.events.SegmentFile;
import io.varve.events.SnapshotId;
import io.varve.host.CopyContext;
import io.varve.host.MergeSettings;
import io.varve.host.SnapshotSource;
import io.varve.rpc.CopyStats;
import io.varve.store.CopyFolder;
import io.varve.store.FileFetcher;
import io.varve.store.Joining;
import io.varve.store.PeerSource;
import io.varve.store.SegmentSource;
import io.varve.store.TransferLane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merged segments that are fetched before a manifest names them, each on a separate thread in the
 * transfer lane of merged segments. None of them is visible to searches.
 *
 * <pre>
 *   announced -> in transfer -> arrived -> named by a manifest: owned by the engine from then on
 *                                       -> abandoned, too old, or of a past term: deleted
 * </pre>
 *
 * If a manifest names a file in transfer, its round takes over the partial file instead of waiting
 * in this lane.
 *
 * <p>INVARIANT: while a round runs ({@link #beginRound} to {@link #endRound}) no arrived file is
 * deleted, and no file that the round needs is fetched here. Files of an installed manifest are
 * neither fetched nor deleted here, however late they are announced.
 */
final class MergedArrivals implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MergedArrivals.class);

  /** Short ranges, so that a file of a new manifest does not wait long for bandwidth. */
  private static final int CHUNK_BYTES = 1 << 20;

  private final CopyContext context;
  private final SegmentTransfers transfers;
  private final CopyFolder folder;
  private final FileFetcher files;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<SnapshotId, MergedArrival> arrivals = new HashMap<>();
  private final LongAdder nanos = new LongAdder();
  private final Supplier<@Nullable Manifest> installed;
  private @Nullable Manifest roundsTarget;
  private boolean closed;

  /**
   * @param installed the manifest whose files are all local
   */
  MergedArrivals(
      CopyContext context,
      SegmentTransfers transfers,
      CopyFolder folder,
      Supplier<@Nullable Manifest> installed) {
    this.context = context;
    this.transfers = transfers;
    this.folder = folder;
    this.installed = installed;
    this.files =
        new FileFetcher(
            folder,
            new FileFetcher.Settings(
                Math.min(CHUNK_BYTES, transfers.settings().chunkBytes()),
                transfers.settings().parallelFiles()),
            transfers.budget());
  }

  long bytesFetched() {
    return files.bytesFetched();
  }

  /** The statistics of merged segments received from and sent to other copies. */
  CopyStats.Ahead stats(SnapshotSource.Sent sent) {
    return new CopyStats.Ahead(
        CopyStats.Phase.NONE,
        0,
        sent.ahead(),
        new CopyStats.Moved(bytesFetched(), nanos.sum() / 1_000_000));
  }

  /**
   * Begins to fetch the segment unless it has arrived or is in transfer; waits for the end of the
   * transfer for at most the given time.
   */
  MergedSegment.Answer announced(MergedSegment segment, long shownTerm, long waitMillis)
      throws InterruptedException {
    MergedArrival arrival;
    lock.lock();
    try {
      arrival = arrivals.get(segment.id());
      boolean late = isNamedBy(roundsTarget, segment) || isNamedBy(installed.get(), segment);
      if (closed || segment.id().term() < shownTerm || (late && arrival == null)) {
        return new MergedSegment.Answer(MergedSegment.State.REFUSED, segment.totalBytes());
      }
      if (arrival == null) {
        MergeSettings settings = MergeSettings.of(context.node().cluster().current());
        transfers.budget().limit(TransferLane.MERGED, settings.bytesPerSecond());
        arrival = new MergedArrival(segment, folder, files, nanos, context.node().clock().millis());
        arrival.start(source(segment));
        // Only arrivals with a thread are registered: rounds stop arrivals and wait for their
        // threads.
        arrivals.put(segment.id(), arrival);
      }
    } finally {
      lock.unlock();
    }
    return arrival.await(waitMillis);
  }

  private static boolean isNamedBy(@Nullable Manifest manifest, MergedSegment segment) {
    return manifest != null && segment.files().stream().anyMatch(manifest.files()::contains);
  }

  private SegmentSource source(MergedSegment segment) {
    return PeerSource.ofMerge(
        context.node().http(),
        segment.sourceUrl(),
        segment.shard(),
        segment.id(),
        transfers.asking());
  }

  /** A round for that manifest is about to list the local files. */
  void beginRound(Manifest target) {
    lock.lock();
    try {
      roundsTarget = target;
      arrivals.values().stream()
          .filter(arrival -> !arrival.hasArrived() && arrival.isWantedBy(target))
          .forEach(MergedArrival::stop);
    } finally {
      lock.unlock();
    }
  }

  /** The complete local files that no installed manifest names. */
  List<SegmentFile> arrived() {
    lock.lock();
    try {
      return arrivals.values().stream().flatMap(arrival -> arrival.arrived().stream()).toList();
    } finally {
      lock.unlock();
    }
  }

  /** The unfinished files of transfers in progress. */
  List<SegmentFile> underWay() {
    lock.lock();
    try {
      return arrivals.values().stream()
          .filter(MergedArrival::isUnderWay)
          .flatMap(arrival -> arrival.segment().files().stream())
          .toList();
    } finally {
      lock.unlock();
    }
  }

  int segmentsUnderWay() {
    lock.lock();
    try {
      return (int) arrivals.values().stream().filter(MergedArrival::isUnderWay).count();
    } finally {
      lock.unlock();
    }
  }

  /** That manifest is shown: the engine now owns the files that it names. */
  void installed(Manifest manifest) {
    lock.lock();
    try {
      arrivals
          .values()
          .removeIf(arrival -> {
            if (arrival.isWantedBy(manifest)) {
              arrival.stop();
              deleteExcept(arrival, manifest);
              return true;
            }
            return false;
          });
      arrivals.forEach((id, arrival) -> {
        if (id.term() < manifest.term()) {
          arrival.over();
        }
      });
    } finally {
      lock.unlock();
    }
  }

  /** Deletes files that are of no use after the end of a round. */
  void endRound() {
    lock.lock();
    try {
      roundsTarget = null;
      sweep();
    } finally {
      lock.unlock();
    }
  }

  /** No manifest will ever name that segment. */
  void over(SnapshotId id) {
    lock.lock();
    try {
      MergedArrival arrival = arrivals.get(id);
      if (arrival != null) {
        arrival.over();
        sweep();
      }
    } finally {
      lock.unlock();
    }
  }

  private void sweep() {
    if (roundsTarget != null || closed) {
      return;
    }
    long keptMillis = MergeSettings.of(context.node().cluster().current()).retentionMillis();
    long oldest = context.node().clock().millis() - keptMillis;
    arrivals
        .values()
        .removeIf(arrival -> {
          boolean goes =
              arrival.isOver() || (!arrival.isUnderWay() && arrival.beganMillis() < oldest);
          if (goes) {
            arrival.stop();
            arrival.segment().files().forEach(this::delete);
          }
          return goes;
        });
  }

  private void deleteExcept(MergedArrival arrival, Manifest manifest) {
    List<SegmentFile> unnamed = new ArrayList<>(arrival.arrived());
    unnamed.removeAll(manifest.files());
    unnamed.forEach(this::delete);
  }

  private void delete(SegmentFile file) {
    try {
      Files.deleteIfExists(folder.directory().resolve(file.name()));
      folder.deletePartial(file);
    } catch (IOException e) {
      LOG.warn("{} can't delete {}; a restart will", context.shard(), file.name(), e);
    }
  }

  /**
   * A file for other copies to fetch.
   *
   * @throws io.varve.rpc.ApiException 410 if it is not here
   */
  SnapshotSource.HeldFile file(SnapshotId id, String name) {
    lock.lock();
    try {
      MergedArrival arrival = arrivals.get(id);
      if (arrival == null) {
        throw SnapshotSource.gone(id);
      }
      Path path = folder.directory().resolve(name);
      return arrival.arrived().stream()
          .filter(file -> file.name().equals(name))
          .findFirst()
          .map(file -> new SnapshotSource.HeldFile(path, file))
          .orElseThrow(() -> SnapshotSource.noFile(id, name));
    } finally {
      lock.unlock();
    }
  }

  /** Returns when no transfer writes into the folder any more. */
  @Override
  public void close() {
    List<Thread> running;
    lock.lock();
    try {
      closed = true;
      arrivals.values().forEach(MergedArrival::cancel);
      running = arrivals.values().stream().map(MergedArrival::thread).toList();
    } finally {
      lock.unlock();
    }
    Joining.uninterruptibly(running);
  }
}
