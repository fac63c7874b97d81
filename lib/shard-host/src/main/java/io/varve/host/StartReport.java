package io.varve.host;

import io.varve.events.ShardId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the copy of a place as started, once it shows what the other copies show: reads go to it
 * as soon as it is reported.
 *
 * <p>A copy must prove this after each opening, even if the cluster state already names the copy as
 * started. That may be due to a report of the previous opening, and no client has waited for the
 * copy since it was opened again.
 */
final class StartReport {

  private static final Logger LOG = LoggerFactory.getLogger(StartReport.class);

  /**
   * The interval at which a copy that does not yet show what other copies show is checked again.
   */
  private static final long SHOW_AGAIN_MILLIS = 100;

  private final NodeContext node;
  private final ShardId shard;
  private final LeaderReports leader;
  private StartProof proof = new StartProof();
  private boolean proven;

  StartReport(NodeContext node, ShardId shard, LeaderReports leader) {
    this.node = node;
    this.shard = shard;
    this.leader = leader;
  }

  /** Another copy is open, and has proven nothing yet. */
  void opened() {
    proof = new StartProof();
    proven = false;
  }

  /** Whether the open copy has proven that it may start. */
  boolean isProven() {
    return proven;
  }

  /** Returns the maximum time in milliseconds to wait for a change before the next attempt. */
  long of(Goal.Copy assignment, ShardCopy copy) {
    proof.begin(node.cluster().current().version());
    try {
      if (copy.showNewest(LeaderReports.CALL_TIMEOUT)) {
        long provenFrom = proof.end();
        Admission.Outcome admission =
            new Admission(node, shard).of(copy, LeaderReports.CALL_TIMEOUT);
        if (admission.mayStart()) {
          proven = true;
          return assignment.reported()
              ? 0
              : leader.started(assignment, copy.fork(), admission.term(), provenFrom);
        }
      }
      LOG.info("{} is not started: it does not show yet what other copies show", shard);
    } catch (Exception e) {
      LOG.warn("{} is not started: what other copies show is unknown", shard, e);
    }
    return SHOW_AGAIN_MILLIS;
  }
}
