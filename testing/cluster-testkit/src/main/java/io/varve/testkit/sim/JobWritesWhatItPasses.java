package io.varve.testkit.sim;

import io.varve.events.Operation;

/**
 * If no query of a job that writes has failed, no document has its newest version below the seq_no
 * at which the job continues: the job or a client has written it since. This also holds if the job
 * was cancelled and continued, and if the shard got another primary.
 */
final class JobWritesWhatItPasses implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (!(observation instanceof Observation.JobWroteUpTo(var shard, long nextSeqNo))) {
      return;
    }
    AcceptedLog log = world.logs().acceptedLog(shard);
    for (String id : log.ids()) {
      Operation newest = log.newest(id, Long.MAX_VALUE);
      require(
          newest == null || newest.isDelete() || newest.seqNo() >= nextSeqNo,
          "a job continues at %d, but did not write %s",
          nextSeqNo,
          newest);
    }
  }
}
