package io.varve.testkit.sim;

import io.varve.log.LogException;
import io.varve.store.StartReadiness;

/**
 * Decides when a {@link SegmentReplicaActor} is reported as started, by production's {@link
 * StartReadiness}, once the manifests are read to their end.
 */
final class ReplicaStart {

  private static final int POLL_MICROS = 5_000;
  private static final int RETRY_MICROS = 50_000;

  private final SegmentReplicaActor copy;
  private final StartReadiness readiness = new StartReadiness();

  ReplicaStart(SegmentReplicaActor copy) {
    this.copy = copy;
  }

  /** Runs {@code then} once everything is read that is in the manifests' log now. */
  void whenRead(Runnable then) {
    try {
      whenRead(copy.manifestsEnd(), then);
    } catch (LogException.Unavailable e) {
      copy.after(RETRY_MICROS, () -> whenRead(then));
    }
  }

  private void whenRead(long end, Runnable then) {
    if (copy.manifestsRead() >= end) {
      then.run();
    } else {
      copy.after(POLL_MICROS, () -> whenRead(end, then));
    }
  }

  /**
   * Announces the copy as started when that is allowed.
   *
   * @param reportedSeqNo the highest seq_no that clients have been told is visible
   */
  void whenReady(long reportedSeqNo) {
    whenRead(() -> {
      readiness.readToTheEnd(copy.newestSeqNo());
      announceWhenReady(reportedSeqNo);
    });
  }

  /** Reports it as started again, after its node was absent from the cluster. */
  void again(World world) {
    long reportedSeqNo = world.clients().reportedSeqNo(copy.shard());
    if (world.mutated(Mutation.REPORT_AGAIN_WHAT_WAS_ENOUGH_BEFORE)) {
      copy.announce(reportedSeqNo);
    } else {
      whenReady(reportedSeqNo);
    }
  }

  private void announceWhenReady(long reportedSeqNo) {
    switch (readiness.report(copy.visibleSeqNo(), copy.noOtherCopyServes())) {
      case NOW -> copy.announce(reportedSeqNo);
      case BEHIND -> {
        behind();
        copy.announce(-1);
      }
      case WAIT -> copy.after(POLL_MICROS, () -> announceWhenReady(reportedSeqNo));
    }
  }

  /** The copy starts although it lacks operations that others have shown. */
  void behind() {
    readiness.startBehind(copy.newestSeqNo());
  }

  boolean answersReads() {
    return readiness.answersReads(copy.visibleSeqNo());
  }
}
