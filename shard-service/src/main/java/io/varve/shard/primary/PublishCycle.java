package io.varve.shard.primary;

import io.varve.events.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Decides the order in which a primary makes applied operations visible: in its own searches, in
 * the log of manifests, to callers that wait for them, and in the segment store.
 *
 * <pre>
 *   state       input                            step
 *   IDLE        begin, no refresh is due         Done
 *               begin                            Refresh
 *   REFRESHING  refreshed, a snapshot            Append its manifest
 *               refreshed, none, one unpublished Append that manifest again
 *               refreshed, none                  Show
 *               failed                           -> IDLE
 *   APPENDING   appended                         Publish
 *               failed, or the outcome is unknown-> IDLE, the manifest stays unpublished
 *   SHOWING     shown                            -> IDLE
 *               failed                           -> IDLE, its manifest stays unpublished
 * </pre>
 *
 * A refresh is due if an applied operation is not visible, if segments were merged, or if a
 * manifest is unpublished. An unpublished manifest is appended again unchanged, unless a newer
 * snapshot replaces it. Appending it twice is harmless, because a manifest contains its term and
 * generation.
 *
 * <p>INVARIANTS: the position of a manifest is captured before its refresh, because a position that
 * is too low is safe, but one that is too high loses operations. The snapshot is held before the
 * manifest can be read. Callers are notified, and the upload begins, only after the manifest is in
 * the log.
 *
 * <p>No threads, no I/O: the owner executes each step and reports its result. Reports in the wrong
 * state throw. All methods may be called by any thread.
 */
public final class PublishCycle {

  /** The next step. */
  public sealed interface Step {

    /** Do nothing: all applied operations are visible. */
    record Done(Refreshed shown) implements Step {}

    /** Capture the position, then refresh, and hold the snapshot if there is one. */
    record Refresh() implements Step {}

    /** Append this manifest. */
    record Append(Manifest manifest) implements Step {}

    /** Upload the snapshot of this manifest, and notify waiting callers. */
    record Publish(Manifest manifest, Refreshed shown) implements Step {}

    /** Notify waiting callers; there is nothing to publish. */
    record Show(Refreshed shown) implements Step {}
  }

  private enum State {
    IDLE,
    REFRESHING,
    APPENDING,
    SHOWING
  }

  private static final long NO_GENERATION = -1;

  private final long term;
  private State state = State.IDLE;
  private @Nullable Refreshed last;
  private @Nullable Refreshed showing;
  private @Nullable Manifest unpublished;
  private boolean merged;
  private boolean refreshesMerged;

  public PublishCycle(long term) {
    this.term = term;
  }

  long term() {
    return term;
  }

  /** Segments were merged, so a refresh is due even without new operations. */
  public synchronized void merged() {
    merged = true;
  }

  /** Whether a refresh is due if everything up to {@code seqNo} is applied. */
  public synchronized boolean isDue(long seqNo) {
    Refreshed shown = last;
    return shown == null || unpublished != null || merged || seqNo > shown.visibleSeqNo();
  }

  /** A refresh begins; everything up to {@code seqNo} is applied. */
  public synchronized Step begin(long seqNo) {
    require(State.IDLE);
    Refreshed shown = last;
    if (shown != null && !isDue(seqNo)) {
      return new Step.Done(shown);
    }
    refreshesMerged = merged;
    merged = false;
    state = State.REFRESHING;
    return new Step.Refresh();
  }

  /**
   * The refresh has succeeded.
   *
   * @param manifest of the snapshot, {@code null} if nothing has changed since the last one
   * @param visibleSeqNo searches on this copy show everything up to it
   */
  public synchronized Step refreshed(@Nullable Manifest manifest, long visibleSeqNo) {
    require(State.REFRESHING);
    if (manifest != null) {
      unpublished = manifest;
    }
    Manifest next = unpublished;
    if (next != null) {
      state = State.APPENDING;
      return new Step.Append(next);
    }
    Refreshed before = last;
    return new Step.Show(
        show(
            new Refreshed(
                term, before == null ? NO_GENERATION : before.generation(), visibleSeqNo)));
  }

  /** The manifest is in the log. */
  public synchronized Step appended() {
    require(State.APPENDING);
    Manifest manifest = unpublished;
    if (manifest == null) {
      throw new IllegalStateException("no manifest is being appended");
    }
    return new Step.Publish(
        manifest, show(new Refreshed(term, manifest.generation(), manifest.visibleSeqNo())));
  }

  private Refreshed show(Refreshed refreshed) {
    state = State.SHOWING;
    showing = refreshed;
    return refreshed;
  }

  /** Waiting callers were notified, and the upload, if any, has begun. */
  public synchronized void shown() {
    require(State.SHOWING);
    state = State.IDLE;
    last = showing;
    unpublished = null;
  }

  /** A step failed, or its outcome is unknown: the next refresh is due at once. */
  public synchronized void failed() {
    if (state == State.IDLE) {
      throw new IllegalStateException("no refresh is running");
    }
    merged |= state == State.REFRESHING && refreshesMerged;
    state = State.IDLE;
  }

  private void require(State expected) {
    if (state != expected) {
      throw new IllegalStateException("expected state " + expected + ", was " + state);
    }
  }
}
