package io.varve.store;

/**
 * Decides whether a segment replica may be reported as started, and whether it answers reads, given
 * the seq_no that other copies have shown.
 *
 * <pre>
 *   required seq_no   the one visible in the newest manifest when the copy first knew the end of
 *                     the manifests, or first knew it again after its last report
 *
 *   NOW      it shows the required seq_no
 *   BEHIND   it does not, or the required seq_no is unknown, and no other copy serves: it may be
 *            promoted, and then replays the operations that it lacks
 *   WAIT     it does not, and another copy serves
 *
 *   answers reads   unless it started BEHIND and does not show yet what other copies had shown
 * </pre>
 *
 * INVARIANT: the required seq_no is fixed once for each report, so that new manifests during the
 * catch-up do not delay the report. A copy is reported again if its node was absent from the
 * cluster. Requests did not wait for it during that time, so the previous seq_no is too low.
 */
public final class StartReadiness {

  private static final long NOT_FIXED = Long.MIN_VALUE;

  /** Whether the copy may be reported as started. */
  public enum Report {
    NOW,
    BEHIND,
    WAIT
  }

  private long requiredSeqNo = NOT_FIXED;
  private long shownBeforeSeqNo = NOT_FIXED;

  /** Whether {@link #readToTheEnd} was called. */
  public synchronized boolean isFixed() {
    return requiredSeqNo != NOT_FIXED;
  }

  /**
   * The manifests were read to their end. Fixes the required seq_no if this is the first time.
   *
   * @param newestSeqNo visible in the newest manifest; -1 if there is none
   * @return the required seq_no
   */
  public synchronized long readToTheEnd(long newestSeqNo) {
    if (requiredSeqNo == NOT_FIXED) {
      requiredSeqNo = newestSeqNo;
    }
    return requiredSeqNo;
  }

  /** Returns the required seq_no, which must be fixed. */
  public synchronized long requiredSeqNo() {
    if (requiredSeqNo == NOT_FIXED) {
      throw new IllegalStateException("the end of the manifests is not known yet");
    }
    return requiredSeqNo;
  }

  /**
   * Whether the copy may be reported; if it may, the next report needs a new required seq_no.
   *
   * @param visibleSeqNo up to which the copy shows operations
   * @param alone whether no other copy serves
   */
  public synchronized Report report(long visibleSeqNo, boolean alone) {
    boolean shown = requiredSeqNo != NOT_FIXED && visibleSeqNo >= requiredSeqNo;
    if (!shown && !alone) {
      return Report.WAIT;
    }
    requiredSeqNo = NOT_FIXED;
    return shown ? Report.NOW : Report.BEHIND;
  }

  /**
   * The copy starts although other copies have shown more; its reads wait until it shows the same.
   *
   * @param newestSeqNo visible in the newest manifest that it knows; -1 if there is none
   */
  public synchronized void startBehind(long newestSeqNo) {
    shownBeforeSeqNo = newestSeqNo;
  }

  /** Whether a started copy that shows operations up to this seq_no answers reads. */
  public synchronized boolean answersReads(long visibleSeqNo) {
    return visibleSeqNo >= shownBeforeSeqNo;
  }
}
