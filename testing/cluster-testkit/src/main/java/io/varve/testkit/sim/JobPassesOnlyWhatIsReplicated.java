package io.varve.testkit.sim;

import io.varve.events.Operation;
import io.varve.rpc.HoldsWire.Version;

/**
 * If no query of a re-replication job failed and its primary has returned a seq_no at which the job
 * continues, the job has passed no document of a former primary that its primary does not know to
 * be replicated. This also holds if the job was cancelled and continued in between.
 *
 * <p>A primary's own records are proven by the progress of the copies, not by jobs.
 */
final class JobPassesOnlyWhatIsReplicated implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (!(observation instanceof Observation.JobPassed(var primary, var next))) {
      return;
    }
    SimStrongReads reads = primary.strong();
    if (reads == null || !primary.alive()) {
      return;
    }
    for (Operation shown : primary.visible().values()) {
      if (!shown.isDelete() && shown.seqNo() < Math.min(next.nextSeqNo(), reads.base())) {
        Version version = Version.of(shown.id(), shown.seqNo(), shown.term());
        require(
            reads.knows(version),
            "a job goes on at %s, but %s does not know %s to be replicated",
            next,
            primary,
            version);
      }
    }
  }
}
