package io.varve.store;

import io.varve.events.Manifest;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What a segment replica does from round to round: it compares what it achieved with the newest
 * manifest that it knows.
 *
 * <pre>
 *   nothing newer                        idle, until a manifest is seen
 *   achieved is older than the newest    begin a round, now
 *   the last round failed                wait, longer with each failure in a row, then begin
 * </pre>
 *
 * The comparison is with the <em>achieved</em> manifest, so one that came during a round is never
 * missed, and none is waited for that is here already. A manifest that comes during a wait ends it
 * when the source was the reason (it answers again, or holds something newer); after a failure of
 * this copy's own disk or of the bytes that came, only a newer term does, so that a copy that can't
 * succeed doesn't try at the pace of refreshes.
 *
 * <p>No threads, no clock: the owner calls {@link #next} after each event. Not thread-safe.
 */
public final class CopyCourse {

  /** What to do now. */
  public sealed interface Step {

    /** Wait for the next manifest. */
    record Idle() implements Step {}

    /** Start a round for this manifest. */
    record Begin(Manifest target) implements Step {}

    /** Ask again at that time or after the next event. */
    record WaitUntil(long millis) implements Step {}
  }

  /** Why a round failed. */
  public enum Failure {
    /** The source no longer holds that manifest's files. */
    SOURCE_GONE,
    /** The source did not answer, or broke off. */
    SOURCE_UNREACHABLE,
    /** What came was not what the manifest names, or it could not be written or opened here. */
    COPY_BROKEN,
    /** There is no room here for what would come. */
    DISK_FULL
  }

  private record Seen(long term, long generation, long createdMillis) {}

  private final BackOff backOff;
  private final Deque<Seen> notShown = new ArrayDeque<>();
  private @Nullable Manifest newest;
  private @Nullable Manifest achieved;
  private int failuresInARow;
  private long waitUntilMillis;
  private boolean newManifestEndsWait;

  public CopyCourse(BackOff backOff) {
    this.backOff = backOff;
  }

  /** A manifest was read from the log. Returns whether it is the newest now. */
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

  /** The copy shows this manifest. */
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

  /** Manifests published and not shown here. */
  public long checkpointsBehind() {
    return notShown.size();
  }

  /** The age of the oldest manifest that is known and not shown, 0 when current. */
  public long millisBehind(long nowMillis) {
    Seen oldest = notShown.peekFirst();
    return oldest == null ? 0 : Math.max(0, nowMillis - oldest.createdMillis);
  }
}
