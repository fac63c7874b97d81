package io.varve.shard.remote;

import io.varve.events.Manifest;
import io.varve.rpc.CopyStats;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of a primary's uploads: objects and bytes sent, the lag, and the writes rejected
 * because of the lag. Thread-safe.
 */
public final class UploadStats {

  private static final int MOST_PENDING = 10_000;

  private final InstantSource clock;
  private final IntSupplier window;
  private final MovingAverage bytesAverage = new MovingAverage();
  private final MovingAverage millisAverage = new MovingAverage();
  private final MovingAverage speedAverage = new MovingAverage();
  private final Deque<Long> pendingGenerations = new ArrayDeque<>();
  private @Nullable Manifest published;
  private @Nullable Manifest stored;
  private long succeeded;
  private long failed;
  private int failuresInARow;
  private long succeededBytes;
  private long failedBytes;
  private long spentMillis;
  private long lastBytes;
  private long behindSinceMillis = -1;
  private long rejections;

  /** {@code window} is the number of uploads in the averages. */
  UploadStats(InstantSource clock, IntSupplier window) {
    this.clock = clock;
    this.window = window;
  }

  synchronized void published(Manifest manifest) {
    published = manifest;
    if (pendingGenerations.size() < MOST_PENDING) {
      pendingGenerations.addLast(manifest.generation());
    }
    if (behindSinceMillis < 0) {
      behindSinceMillis = manifest.createdMillis();
    }
  }

  synchronized void succeeded(Manifest manifest, long bytes, long millis) {
    stored = manifest;
    succeeded++;
    failuresInARow = 0;
    succeededBytes += bytes;
    lastBytes = bytes;
    spentMillis += millis;
    bytesAverage.add((double) bytes, window.getAsInt());
    millisAverage.add((double) millis, window.getAsInt());
    speedAverage.add(bytes * 1000.0 / Math.max(1, millis), window.getAsInt());
    pendingGenerations.removeIf(generation -> generation <= manifest.generation());
    Manifest newest = published;
    behindSinceMillis =
        newest == null || !newest.isNewerThan(manifest) ? -1 : manifest.createdMillis();
  }

  synchronized void failed(long bytes) {
    failed++;
    failuresInARow++;
    failedBytes += bytes;
  }

  /**
   * The reason for which writes are rejected now, if any; {@code pauseMillis} is the time between
   * uploads.
   */
  synchronized Optional<String> refusal(
      String shard, StorePressure.Limits limits, long pauseMillis) {
    if (pendingGenerations.isEmpty()) {
      return Optional.empty();
    }
    boolean ready = bytesAverage.isReady(limits.window());
    Optional<String> refusal =
        StorePressure.refusal(
            shard,
            new StorePressure.Lag(
                pendingGenerations.size(),
                bytesLag(),
                millisLag(),
                failuresInARow,
                ready ? bytesAverage.value() : 0,
                ready ? millisAverage.value() + pauseMillis : 0),
            limits);
    rejections += refusal.isPresent() ? 1 : 0;
    return refusal;
  }

  public synchronized CopyStats.Uploads read() {
    return new CopyStats.Uploads(
        published == null ? 0 : published.createdMillis(),
        stored == null ? 0 : stored.createdMillis(),
        new CopyStats.UploadLag(pendingGenerations.size(), bytesLag(), millisLag(), rejections),
        new CopyStats.Attempts(succeeded, failed, failuresInARow, spentMillis),
        new CopyStats.UploadBytes(succeededBytes, failedBytes, lastBytes),
        new CopyStats.UploadAverages(
            bytesAverage.value(), millisAverage.value(), speedAverage.value()));
  }

  private long millisLag() {
    return behindSinceMillis < 0 ? 0 : Math.max(0, clock.millis() - behindSinceMillis);
  }

  private long bytesLag() {
    if (published == null) {
      return 0;
    }
    Set<Object> there = new HashSet<>(stored == null ? List.of() : stored.files());
    return published.files().stream()
        .filter(file -> !there.contains(file))
        .mapToLong(file -> file.lengthBytes())
        .sum();
  }
}
