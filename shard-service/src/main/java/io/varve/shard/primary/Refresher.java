package io.varve.shard.primary;

import io.varve.engine.Checkpoint;
import io.varve.engine.ShardEngine;
import io.varve.engine.Snapshot;
import io.varve.events.Feature;
import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.host.FailureReasons;
import io.varve.host.RefreshTurns;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.process.SingleFlight;
import io.varve.rpc.ApiException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes applied operations visible on this copy and on all copies that read the manifests, in the
 * order of a {@link PublishCycle}. One refresh runs at a time; callers that arrive during a refresh
 * share the next one.
 */
final class Refresher {

  /**
   * The listeners of a refresh.
   *
   * @param published is called after a manifest is in the log
   * @param lacksOperations whether nothing may be published yet, because the log lacks operations
   *     that the segments hold
   */
  record Shown(
      OffsetWatcher visible, Consumer<Manifest> published, BooleanSupplier lacksOperations) {}

  private final CopyContext context;
  private final PublishCycle cycle;
  private final ShardEngine engine;
  private final CommitPoints points;
  private final PublishedSnapshots snapshots;
  private final ManifestLog manifests;
  private final OffsetWatcher visible;
  private final Consumer<Manifest> published;
  private final BooleanSupplier lacksOperations;
  private final SingleFlight<Refreshed> refreshes = new SingleFlight<>(this::begin);
  private final AtomicLong lastRefreshMillis = new AtomicLong();
  private final AtomicReference<RefreshTurns.@Nullable Turn> turn = new AtomicReference<>();
  private final UnshownSince unshown = new UnshownSince();

  Refresher(
      CopyContext context,
      long term,
      ShardEngine engine,
      CommitPoints points,
      PublishedSnapshots snapshots,
      Shown shown) {
    this.context = context;
    this.cycle = new PublishCycle(term);
    this.engine = engine;
    this.points = points;
    this.snapshots = snapshots;
    this.visible = shown.visible();
    this.published = shown.published();
    this.lacksOperations = shown.lacksOperations();
    this.manifests = new ManifestLog(context.manifests());
  }

  /** Publishes merged segments, even if there are no new operations. */
  CompletableFuture<Refreshed> refreshMerged() {
    cycle.merged();
    return refresh();
  }

  /** Completes after a refresh that begins after this call. */
  CompletableFuture<Refreshed> refresh() {
    return refreshes.run();
  }

  /**
   * The same for a periodic refresh. Its turn ends when the documents are searchable here: the
   * append of the manifest waits for the log, and must not keep other copies from refreshing.
   */
  CompletableFuture<Refreshed> refresh(RefreshTurns.Turn granted) {
    turn.set(granted);
    return refresh().whenComplete((_, _) -> granted.end());
  }

  /**
   * Makes everything up to the accepted {@code seqNo} visible.
   *
   * @throws ApiException 503 on timeout or failure
   */
  Refreshed shown(OffsetWatcher applied, long seqNo, Duration timeout) throws InterruptedException {
    try {
      long began = System.nanoTime();
      if (!applied.await(seqNo, timeout)) {
        throw new TimeoutException();
      }
      return refresh().get(timeout.toNanos() - (System.nanoTime() - began), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new ApiException(
          503, "process_cluster_event_timeout_exception", "no refresh within " + timeout);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ApiException refused) {
        throw refused;
      }
      throw new ApiException(
          503,
          "refresh_failed_engine_exception",
          "the refresh failed: " + FailureReasons.of(Objects.requireNonNullElse(e.getCause(), e)));
    }
  }

  /** Whether a refresh would make operations visible or publish segments. */
  boolean isDue() {
    return cycle.isDue(points.nextSeqNo() - 1);
  }

  /** Whether no refresh is running or requested. */
  boolean isIdle() {
    return refreshes.isIdle();
  }

  /** An operation was applied; the next refresh makes it visible. */
  void applied() {
    unshown.applied(context.node().clock().millis());
  }

  /** The age of the oldest operation that is applied and not visible, 0 for none. */
  long millisBehind() {
    return unshown.ageMillis(context.node().clock().millis());
  }

  long lastRefreshMillis() {
    return lastRefreshMillis.get();
  }

  private CompletableFuture<Refreshed> begin() {
    CompletableFuture<Refreshed> refreshed = new CompletableFuture<>();
    try {
      context.node().blocking().execute(() -> run(refreshed));
    } catch (RejectedExecutionException e) {
      refreshed.completeExceptionally(unavailable("the node is closing"));
    }
    return refreshed;
  }

  private void run(CompletableFuture<Refreshed> refreshed) {
    try {
      refreshed.complete(run());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      refreshed.completeExceptionally(unavailable("interrupted"));
    } catch (RuntimeException | Error e) {
      refreshed.completeExceptionally(e);
    }
  }

  private Refreshed run() throws InterruptedException {
    if (lacksOperations.getAsBoolean()) {
      throw unavailable("the log lacks operations that the copied segments hold");
    }
    PublishCycle.Step step = cycle.begin(points.nextSeqNo() - 1);
    if (step instanceof PublishCycle.Step.Done(Refreshed shown)) {
      return shown;
    }
    long oldestMillis = unshown.showing();
    boolean ended = false;
    try {
      Refreshed refreshed = carryOut(step);
      ended = true;
      return refreshed;
    } finally {
      if (!ended) {
        cycle.failed();
        unshown.notShown(oldestMillis);
      }
    }
  }

  private Refreshed carryOut(PublishCycle.Step first) throws InterruptedException {
    PublishCycle.Step step = first;
    while (true) {
      switch (step) {
        case PublishCycle.Step.Refresh _ -> step = refreshEngine();
        case PublishCycle.Step.Append(Manifest manifest) -> {
          append(manifest);
          step = cycle.appended();
        }
        case PublishCycle.Step.Publish(Manifest manifest, Refreshed refreshed) -> {
          published.accept(manifest);
          return show(refreshed);
        }
        case PublishCycle.Step.Show(Refreshed refreshed) -> {
          return show(refreshed);
        }
        case PublishCycle.Step.Done(Refreshed refreshed) -> {
          return refreshed;
        }
      }
    }
  }

  private PublishCycle.Step refreshEngine() {
    CommitPoints.CommitPoint point = points.capture();
    engine.settings(context.settings());
    Snapshot snapshot = refreshInTurn(point.checkpoint());
    lastRefreshMillis.set(context.node().clock().millis());
    long visibleSeqNo = point.checkpoint().visibleSeqNo();
    if (snapshot == null) {
      return cycle.refreshed(null, visibleSeqNo);
    }
    Manifest manifest = manifestOf(snapshot, point.data());
    snapshots.publish(manifest, snapshot);
    return cycle.refreshed(manifest, visibleSeqNo);
  }

  private @Nullable Snapshot refreshInTurn(Checkpoint checkpoint) {
    try {
      return engine.refresh(checkpoint);
    } finally {
      RefreshTurns.Turn granted = turn.getAndSet(null);
      if (granted != null) {
        granted.end();
      }
    }
  }

  private Refreshed show(Refreshed refreshed) {
    visible.advanceTo(refreshed.visibleSeqNo());
    context.host().progressed();
    cycle.shown();
    return refreshed;
  }

  private Manifest manifestOf(Snapshot snapshot, Map<String, String> commitData) {
    Checkpoint checkpoint = snapshot.checkpoint();
    return new Manifest(
        context.shard(),
        context.node().identity().nodeId(),
        cycle.term(),
        snapshot.generation(),
        checkpoint.nextOffset(),
        checkpoint.nextSeqNo(),
        checkpoint.fenceTerm(),
        checkpoint.visibleSeqNo(),
        snapshot.files(),
        Base64.getEncoder().encodeToString(snapshot.segmentInfos()),
        snapshot.commitData(commitData),
        context.node().clock().millis(),
        context.node().cluster().current().has(Feature.MIN_READER_VERSION)
            ? snapshot.minReaderVersion()
            : null);
  }

  private void append(Manifest manifest) throws InterruptedException {
    try {
      manifests.append(manifest);
    } catch (LogException e) {
      throw unavailable("the manifest could not be appended: " + e.getMessage());
    }
  }

  private static ApiException unavailable(String reason) {
    return new ApiException(
        503, "process_cluster_event_timeout_exception", "the refresh was not published: " + reason);
  }
}
