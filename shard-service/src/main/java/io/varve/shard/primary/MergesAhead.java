package io.varve.shard.primary;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.engine.MergeWatch;
import io.varve.engine.PhaseCounter;
import io.varve.events.Manifest;
import io.varve.events.MergedSegment;
import io.varve.events.SegmentFile;
import io.varve.events.SnapshotId;
import io.varve.host.CopyContext;
import io.varve.host.MergeSettings;
import io.varve.host.SnapshotSource;
import io.varve.rpc.CopyStats;
import io.varve.store.FanOut;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends merged segments to replicas before a manifest names them. A segment that a merge has
 * written is announced to all replicas. When they have it, it becomes part of the index and thus of
 * the next manifest. New documents are not delayed: manifests name the small segments that contain
 * them together with the source segments of the merge.
 *
 * <pre>
 *   written -> announced -> every replica has it, has failed or has timed out -> in the index
 *           -> named by a manifest, or announced to the replicas as abandoned
 * </pre>
 *
 * Copies fetch it from each other along {@link FanOut}; a copy whose predecessor failed fetches it
 * from the primary. Several segments can be in transfer at a time.
 *
 * <p>INVARIANT: a merge ends regardless of failing replicas: immediately if there are no replicas,
 * else within the timeout. A primary that closes does not wait.
 */
final class MergesAhead implements MergeWatch, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MergesAhead.class);
  private static final long SETTLED_MILLIS = 1_000;

  /** A segment in transfer. */
  private static final class Ahead {
    final MergedSegment segment;
    final List<CopyRouting> replicas;
    volatile long releasedMillis = Long.MAX_VALUE;

    Ahead(MergedSegment segment, List<CopyRouting> replicas) {
      this.segment = segment;
      this.replicas = replicas;
    }
  }

  private final CopyContext context;
  private final long term;
  private final Path directory;
  private final MergeAnnouncer announcer;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<SnapshotId, Ahead> ahead = new ConcurrentHashMap<>();
  private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
  private final PhaseCounter sends = new PhaseCounter();
  private final LongAdder failed = new LongAdder();
  private volatile boolean writing;

  MergesAhead(CopyContext context, long term) {
    this.context = context;
    this.term = term;
    this.directory = context.folder().resolve("index");
    this.announcer = new MergeAnnouncer(context, closed::isDone);
  }

  /** Merged segments are announced from now on. */
  void begin() {
    writing = true;
  }

  @Override
  public void merged(List<SegmentFile> files) {
    try {
      send(files);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn(
          "{}: a merged segment was not sent ahead; replicas fetch it with its manifest",
          context.shard(),
          e);
    }
  }

  private void send(List<SegmentFile> files) throws InterruptedException {
    ClusterState state = context.node().cluster().current();
    MergeSettings settings = MergeSettings.of(state);
    long bytes = files.stream().mapToLong(SegmentFile::lengthBytes).sum();
    List<CopyRouting> replicas = replicas(state);
    NodeInfo here = state.nodes().get(context.node().identity().nodeId());
    if (!writing
        || closed.isDone()
        || !settings.enabled()
        || bytes < settings.minBytes()
        || replicas.isEmpty()
        || here == null) {
      return;
    }
    SnapshotId id = new SnapshotId(term, numbers.incrementAndGet());
    Ahead sent = new Ahead(new MergedSegment(context.shard(), id, here.url(), files), replicas);
    ahead.put(id, sent);
    long began = sends.begin();
    boolean everywhere = false;
    try {
      everywhere = await(sent, settings.timeoutMillis());
    } finally {
      sends.end(began);
      failed.add(everywhere ? 0 : 1);
    }
    sent.releasedMillis = context.node().clock().millis();
    LOG.info(
        "{} sent {} bytes of a merged segment ahead to {} copies in {} ms",
        context.shard(),
        bytes,
        replicas.size(),
        (System.nanoTime() - began) / 1_000_000);
  }

  private List<CopyRouting> replicas(ClusterState state) {
    if (!context.index().replicationType().equals(IndexMetadata.SEGMENT)) {
      return List.of();
    }
    return context.routing().map(routing -> routing.everywhere()).orElse(List.of()).stream()
        .filter(copy -> !copy.primary() && copy.nodeId() != null)
        .filter(copy -> state.nodes().containsKey(copy.nodeId()))
        .filter(copy -> !copy.isOn(context.node().identity().nodeId()))
        .toList();
  }

  /** Waits for the replicas; returns whether each one to which the segment was announced has it. */
  private boolean await(Ahead sent, long timeoutMillis) throws InterruptedException {
    List<String> ids = sent.replicas.stream().map(CopyRouting::copyId).toList();
    Map<String, CompletableFuture<Boolean>> arrivals = new HashMap<>();
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    // Sources come before the copies that fetch from them.
    for (CopyRouting copy : sent.replicas) {
      CompletableFuture<Boolean> arrival =
          FanOut.before(ids, copy.copyId()).stream()
              .findFirst()
              .map(before -> arrivals.get(before).thenApply(has -> has ? before : ""))
              .orElseGet(() -> CompletableFuture.completedFuture(""))
              .thenApplyAsync(
                  before -> announcer.announce(from(sent, before), copy, timeoutMillis),
                  context.node().blocking())
              .exceptionally(_ -> false);
      arrivals.put(copy.copyId(), arrival);
      all.add(arrival);
    }
    CompletableFuture<Void> everywhere =
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    try {
      CompletableFuture.anyOf(everywhere, closed).get(timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.info(
          "{}: a merged segment did not reach all replicas within {} ms",
          context.shard(),
          timeoutMillis);
    }
    return all.stream().allMatch(arrival -> arrival.getNow(false));
  }

  /**
   * The segment as announced to a copy that fetches it from the copy {@code before}; "" stands for
   * the primary.
   */
  private MergedSegment from(Ahead sent, String before) {
    ClusterState state = context.node().cluster().current();
    return sent.replicas.stream()
        .filter(copy -> copy.copyId().equals(before))
        .map(copy -> state.nodes().get(copy.nodeId()))
        .filter(node -> node != null)
        .findFirst()
        .map(node ->
            new MergedSegment(
                sent.segment.shard(), sent.segment.id(), node.url(), sent.segment.files()))
        .orElse(sent.segment);
  }

  /**
   * Called when a manifest is in the log. Forgets the segments that it names, and abandons outdated
   * ones.
   */
  void published(Manifest manifest) {
    for (Ahead one : List.copyOf(ahead.values())) {
      boolean named = manifest.files().containsAll(one.segment.files());
      boolean over = manifest.createdMillis() - SETTLED_MILLIS > one.releasedMillis;
      if (named || over) {
        ahead.remove(one.segment.id());
      }
      if (over && !named) {
        one.replicas.forEach(copy -> announcer.over(one.segment, copy));
      }
    }
  }

  /**
   * A file of a segment in transfer.
   *
   * @throws io.varve.rpc.ApiException 410 or 404 if there is no such file
   */
  SnapshotSource.HeldFile file(SnapshotId id, String name) {
    Ahead one = ahead.get(id);
    if (one == null) {
      throw SnapshotSource.gone(id);
    }
    return one.segment.files().stream()
        .filter(file -> file.name().equals(name))
        .findFirst()
        .map(file -> new SnapshotSource.HeldFile(directory.resolve(name), file))
        .orElseThrow(() -> SnapshotSource.noFile(id, name));
  }

  /**
   * @param sent the part of the segment that was read from this node
   */
  CopyStats.Ahead stats(SnapshotSource.Sent sent) {
    return new CopyStats.Ahead(sends.read(), failed.sum(), sent.ahead(), CopyStats.Moved.NONE);
  }

  /** Must be called before the engine is closed, because the engine waits for its merges. */
  @Override
  public void close() {
    closed.complete(true);
  }
}
