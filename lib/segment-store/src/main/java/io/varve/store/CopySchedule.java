package io.varve.store;

import io.varve.events.Manifest;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the rounds of a segment replica by comparing the manifest that it has achieved with the
 * newest one known.
 *
 * <pre>
 *   nothing newer                        idle until a manifest is seen
 *   achieved is older than the newest    begin a round now
 *   the last round failed                wait with exponential back-off, then begin
 * </pre>
 *
 * Since the comparison uses the <em>achieved</em> manifest, a manifest that arrives during a round
 * is never missed. After a failure of the source, a new manifest ends the wait, because it shows
 * that the source answers again or has newer files. After a failure of this copy's disk or of the
 * received bytes, or if this process can't read the segments, only a newer term ends it. Otherwise,
 * a copy that can't succeed would retry at the rate of refreshes.
 *
 * <p>No threads and no clock: the owner calls {@link #next} after each event. Not thread-safe.
 */
public final class CopySchedule {

  /** The next action. */
  public sealed interface Step {

    /** Wait for the next manifest. */
    record Idle() implements Step {}

    /** Start a round for this manifest. */
    record Begin(Manifest target) implements Step {}

    /** Call {@link #next} again at this time or after the next event. */
    record WaitUntil(long millis) implements Step {}
  }

  /** The cause of a failed round. */
  public enum Failure {
    /** The source no longer holds that manifest's files. */
    SOURCE_GONE,
    /** The source did not answer, or aborted the transfer. */
    SOURCE_UNREACHABLE,
    /** The received bytes did not match the manifest, or could not be written or opened here. */
    COPY_BROKEN,
    /** The disk has no room for the missing files. */
    DISK_FULL,
    /** This process is too old for the manifest's segments, or lacks a codec. */
    UNREADABLE
  }

  private record Seen(long term, long generation, long createdMillis) {}

  private final ExponentialBackOff backOff;
  private final Deque<Seen> notShown = new ArrayDeque<>();
  private @Nullable Manifest newest;
  private @Nullable Manifest achieved;
  private int failuresInARow;
  private long waitUntilMillis;
  private boolean newManifestEndsWait;

  public CopySchedule(ExponentialBackOff backOff) {
    this.backOff = backOff;
  }

  /** Records a manifest read from the log. Returns whether it is now the newest. */
  public boolean seen(Manifest manifest) {
    if (newest != null && !manifest.isNewerThan(newest)) {
      return false;
    }
    boolean newTerm = newest != null && manifest.term() > newest.term();
    newest = manifest;
    if (achieved == null || manifest.isNewerThan(achieved)) {
      notShown.addLast(new Seen(manifest.term(), manifest.generation(), manifest.createdMillis()));
    }
    if (newManifestEndsWait || newTerm) {
      waitUntilMillis = 0;
    }
    return true;
  }

  public Step next(long nowMillis) {
    if (newest == null || (achieved != null && !newest.isNewerThan(achieved))) {
      return new Step.Idle();
    }
    if (nowMillis < waitUntilMillis) {
      return new Step.WaitUntil(waitUntilMillis);
    }
    return new Step.Begin(newest);
  }

  /** The copy now serves this manifest. */
  public void achieved(Manifest manifest) {
    if (achieved != null && !manifest.isNewerThan(achieved)) {
      return;
    }
    achieved = manifest;
    failuresInARow = 0;
    waitUntilMillis = 0;
    notShown.removeIf(seen ->
        seen.term < manifest.term()
            || (seen.term == manifest.term() && seen.generation <= manifest.generation()));
  }

  /** The round for {@code target} failed. */
  public void failed(Manifest target, Failure failure, long nowMillis) {
    boolean newerIsKnown = newest != null && newest.isNewerThan(target);
    newManifestEndsWait = failure == Failure.SOURCE_GONE || failure == Failure.SOURCE_UNREACHABLE;
    if (failure == Failure.SOURCE_GONE && newerIsKnown) {
      waitUntilMillis = 0;
      return;
    }
    failuresInARow++;
    waitUntilMillis = nowMillis + backOff.delayMillis(failuresInARow);
  }

  public @Nullable Manifest newest() {
    return newest;
  }

  public @Nullable Manifest achieved() {
    return achieved;
  }

  public int failuresInARow() {
    return failuresInARow;
  }

  /** Manifests published but not yet achieved. */
  public long checkpointsBehind() {
    return notShown.size();
  }

  /** The age of the oldest known manifest that is not achieved; 0 when up to date. */
  public long millisBehind(long nowMillis) {
    Seen oldest = notShown.peekFirst();
    return oldest == null ? 0 : Math.max(0, nowMillis - oldest.createdMillis);
  }
}
