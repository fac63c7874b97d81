package io.varve.store;

/**
 * Decides what a segment replica does after a round that failed.
 *
 * <pre>
 *   SOURCE_GONE, a newer manifest is known  RETRY, with the newer one
 *   SOURCE_GONE, SOURCE_UNREACHABLE         KEEP_COMMIT or START_BEHIND if possible, else RETRY
 *   DISK_FULL                               the same, but a copy that is not started and can't
 *                                           start behind counts it: it may be built on another node
 *   COPY_BROKEN                             counts it
 *   UNREADABLE                              the same; a started copy: RETRY, as it serves what it
 *                                           shows; else REOPEN: it is built on a node that can
 *                                           read the segments
 * </pre>
 *
 * <p>A copy can start behind when it is being built, holds a manifest from which the log can be
 * replayed, and no other copy serves: an old copy is better than none. If it holds the last commit
 * of a primary instead, that commit becomes its manifest first. A copy must not return to an older
 * manifest than it shows, so it is reopened if it shows a newer one than it holds. The fifth
 * counted failure since the last installed manifest gives REOPEN: opening verifies every file and
 * drops the damaged ones.
 *
 * <p>Not thread-safe.
 */
public final class RoundFailures {

  private static final int FAILURES_UNTIL_REOPENED = 5;

  public enum Action {
    /** Run the next round when {@link CopySchedule} allows it. */
    RETRY,
    /** Keep the commit that the folder holds as a manifest, and continue from that. */
    KEEP_COMMIT,
    /** Start with the manifest that the folder holds, although other copies have shown more. */
    START_BEHIND,
    /** End this copy; its host opens another in its place. */
    REOPEN
  }

  /** The content of a folder from which the log can be replayed. */
  public enum Held {
    NOTHING,
    /** The last commit of a primary that had this folder. */
    COMMIT,
    /** All files of a manifest. */
    MANIFEST
  }

  /**
   * The copy at the end of the round.
   *
   * @param started whether it is started
   * @param showsUnfetched whether it shows a manifest whose files are not all local
   * @param alone whether no other copy serves
   */
  public record Copy(boolean started, Held held, boolean showsUnfetched, boolean alone) {

    private boolean canServe() {
      return !started && held != Held.NOTHING && alone;
    }
  }

  private int inARow;

  /** A manifest was installed. */
  public void installed() {
    inARow = 0;
  }

  public Action after(CopySchedule.Failure failure, boolean newerIsKnown, Copy copy) {
    return switch (failure) {
      case SOURCE_GONE -> newerIsKnown ? Action.RETRY : withoutSource(copy);
      case SOURCE_UNREACHABLE -> withoutSource(copy);
      case DISK_FULL -> copy.started() || copy.canServe() ? withoutSource(copy) : counted();
      case COPY_BROKEN -> counted();
      case UNREADABLE -> copy.started() || copy.canServe() ? withoutSource(copy) : Action.REOPEN;
    };
  }

  private static Action withoutSource(Copy copy) {
    if (!copy.canServe()) {
      return Action.RETRY;
    }
    if (copy.showsUnfetched()) {
      return Action.REOPEN;
    }
    return copy.held() == Held.COMMIT ? Action.KEEP_COMMIT : Action.START_BEHIND;
  }

  private Action counted() {
    return ++inARow >= FAILURES_UNTIL_REOPENED ? Action.REOPEN : Action.RETRY;
  }
}
