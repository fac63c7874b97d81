package io.varve.replication.replica;

import io.varve.events.Manifest;
import io.varve.events.MergedSegment;
import io.varve.events.SegmentFile;
import io.varve.store.CopyFolder;
import io.varve.store.CopyPlan;
import io.varve.store.FileFetcher;
import io.varve.store.Joining;
import io.varve.store.SegmentSource;
import io.varve.store.TransferLane;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The transfer of one merged segment, on a separate thread. */
final class MergedArrival implements FileFetcher.Watch {

  private static final Logger LOG = LoggerFactory.getLogger(MergedArrival.class);

  private final MergedSegment segment;
  private final CopyFolder folder;
  private final FileFetcher files;
  private final LongAdder nanos;
  private final long beganMillis;
  private final Map<SegmentFile, Long> present = new ConcurrentHashMap<>();
  private final Map<SegmentFile, Boolean> arrived = new ConcurrentHashMap<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean cancelled;
  private volatile boolean over;
  private volatile @Nullable Thread thread;

  /**
   * @param nanos accumulates the duration of transfers
   */
  MergedArrival(
      MergedSegment segment,
      CopyFolder folder,
      FileFetcher files,
      LongAdder nanos,
      long beganMillis) {
    this.segment = segment;
    this.folder = folder;
    this.files = files;
    this.nanos = nanos;
    this.beganMillis = beganMillis;
  }

  void start(SegmentSource source) {
    thread =
        Thread.ofVirtual()
            .name("merged-segment-" + segment.shard() + "-" + segment.id())
            .start(() -> run(source));
  }

  private void run(SegmentSource source) {
    long began = System.nanoTime();
    try {
      for (SegmentFile file : segment.files()) {
        CopyPlan.Fetch fetch = new CopyPlan.Fetch(file, folder.partialBytes(file));
        FileFetcher.Outcome outcome = files.fetch(fetch, source, TransferLane.MERGED, this);
        if (!(outcome instanceof FileFetcher.Outcome.Arrived)) {
          LOG.info(
              "{}: a merged segment is fetched with its manifest: {}", segment.shard(), outcome);
          return;
        }
        arrived.put(file, true);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.warn("{}: a merged segment is fetched with its manifest", segment.shard(), e);
    } finally {
      nanos.add(System.nanoTime() - began);
      ended.countDown();
    }
  }

  MergedSegment segment() {
    return segment;
  }

  long beganMillis() {
    return beganMillis;
  }

  Thread thread() {
    Thread running = thread;
    if (running == null) {
      throw new IllegalStateException("not started");
    }
    return running;
  }

  /** The files that have arrived. */
  List<SegmentFile> arrived() {
    return List.copyOf(arrived.keySet());
  }

  boolean hasArrived() {
    return arrived.size() == segment.files().size();
  }

  boolean isUnderWay() {
    return ended.getCount() > 0;
  }

  boolean isWantedBy(Manifest manifest) {
    return segment.files().stream().anyMatch(manifest.files()::contains);
  }

  MergedSegment.Answer await(long waitMillis) throws InterruptedException {
    boolean atEnd = ended.await(waitMillis, TimeUnit.MILLISECONDS);
    MergedSegment.State state =
        hasArrived()
            ? MergedSegment.State.ARRIVED
            : atEnd ? MergedSegment.State.REFUSED : MergedSegment.State.UNDER_WAY;
    return new MergedSegment.Answer(state, missingBytes());
  }

  private long missingBytes() {
    return segment.totalBytes() - present.values().stream().mapToLong(Long::longValue).sum();
  }

  boolean isOver() {
    return over;
  }

  void over() {
    over = true;
  }

  /** Cancels the transfer. */
  void cancel() {
    cancelled = true;
    thread().interrupt();
  }

  /** Cancels the transfer; returns when it no longer writes. */
  void stop() {
    cancel();
    Joining.uninterruptibly(List.of(thread()));
  }

  @Override
  public void present(SegmentFile file, long bytes) {
    present.put(file, bytes);
  }

  @Override
  public boolean cancelled() {
    return cancelled;
  }
}
