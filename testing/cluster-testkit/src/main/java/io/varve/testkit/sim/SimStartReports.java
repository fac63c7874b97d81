package io.varve.testkit.sim;

import io.varve.cluster.CopyRouting;
import io.varve.control.command.ClusterCommand;
import io.varve.rpc.ClusterCalls;

/**
 * Reports the copies of a node as started, until the cluster state calls them started, and again
 * whenever it no longer does: a node that was away from the cluster, while its process went on, has
 * its copies back under their ids. What a copy has to show is fixed anew for each report.
 */
final class SimStartReports {

  private static final long PAUSE_MICROS = 120_000;

  private final SimNode node;
  private final SimAdmission admission;

  SimStartReports(World world, SimNode node) {
    this.node = node;
    this.admission = new SimAdmission(world, node);
  }

  /** A copy that is ready. */
  void report(SimCopy copy, long term) {
    if (!copy.alive()) {
      return;
    }
    if (!isKnown(copy)) {
      admission.of(
          copy,
          admittedIn ->
              node.askLeader(
                  new ClusterCommand.CopyStarted(
                      new ClusterCalls.CopyStarted(
                          copy.shard(),
                          copy.copyId(),
                          node.process().toString(),
                          term,
                          copy.fork(),
                          admittedIn))));
    }
    node.process().after(PAUSE_MICROS, () -> look(copy, term));
  }

  private void look(SimCopy copy, long term) {
    if (!copy.alive()) {
      return;
    }
    if (isKnown(copy)) {
      node.process().after(PAUSE_MICROS, () -> look(copy, term));
    } else {
      copy.whenReadyAgain(() -> report(copy, term));
    }
  }

  private boolean isKnown(SimCopy copy) {
    return node.state()
        .shard(copy.shard())
        .filter(shard -> shard.everywhere().stream().anyMatch(c -> isStarted(c, copy.copyId())))
        .isPresent();
  }

  static boolean isStarted(CopyRouting copy, String copyId) {
    return copy.copyId().equals(copyId) && copy.started();
  }
}
