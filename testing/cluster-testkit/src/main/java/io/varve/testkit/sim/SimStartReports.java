package io.varve.testkit.sim;

import io.varve.cluster.CopyRouting;
import io.varve.control.command.ClusterCommand;
import io.varve.events.Feature;
import io.varve.host.StartProof;
import io.varve.rpc.ClusterCalls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reports the copies of a node as started until the cluster state names them as started, and again
 * whenever it no longer does: after an absence during which its process continued, a node has the
 * same copies under the same ids. The operations that a copy has to show are determined again for
 * each report. A copy that is opened again proves its start again, as in production's {@code
 * StartReport}, even if the cluster state already names it as started.
 */
final class SimStartReports {

  private static final long PAUSE_MICROS = 120_000;

  private final World world;
  private final SimNode node;
  private final SimAdmission admission;
  private final Map<String, StartProof> proofs = new HashMap<>();

  /** The copies that have proven their start since they were opened, by id. */
  private final Map<String, SimCopy> proven = new HashMap<>();

  /** The reports that are in flight; null while reports are not delayed. */
  private @Nullable List<ClusterCommand> held;

  SimStartReports(World world, SimNode node) {
    this.world = world;
    this.node = node;
    this.admission = new SimAdmission(world, node);
  }

  /** A copy is opened, and begins to prove its start. */
  void opened(String copyId) {
    proofs.put(copyId, new StartProof());
    var _ = begin(copyId);
  }

  private StartProof begin(String copyId) {
    StartProof proof = proofs.computeIfAbsent(copyId, _ -> new StartProof());
    proof.begin(node.state().version());
    return proof;
  }

  private long provenFrom(String copyId) {
    long version = begin(copyId).end();
    // A copy that starts without an admission has not proven its start.
    return world.mutated(Mutation.START_WITHOUT_AN_ADMISSION) ? Long.MAX_VALUE : version;
  }

  /** A copy that is ready. */
  void report(SimCopy copy, long term) {
    if (!copy.alive()) {
      return;
    }
    long provenFrom = provenFrom(copy.copyId());
    if (!isKnown(copy) || !isProven(copy)) {
      admission.of(copy, admittedIn -> proven(copy, term, admittedIn, provenFrom));
    }
    node.process().after(PAUSE_MICROS, () -> look(copy, term));
  }

  private void proven(SimCopy copy, long term, @Nullable Long admittedIn, long provenFrom) {
    proven.put(copy.copyId(), copy);
    world.observe(new Observation.StartProven(copy, admittedIn != null));
    if (!isKnown(copy)) {
      send(
          new ClusterCommand.CopyStarted(
              new ClusterCalls.CopyStarted(
                  copy.shard(),
                  copy.copyId(),
                  node.process().toString(),
                  term,
                  copy.fork(),
                  admittedIn,
                  node.state().has(Feature.MEMBER_SINCE) ? provenFrom : null)));
    }
  }

  /** Whether the open copy has proven its start. */
  boolean isProven(SimCopy copy) {
    return copy.equals(proven.get(copy.copyId()));
  }

  private void send(ClusterCommand report) {
    if (held == null) {
      node.askLeader(report);
    } else {
      held.add(report);
    }
  }

  /** Injects a fault: from now on, reports arrive late. */
  void hold() {
    held = new ArrayList<>();
  }

  /** Whether a report is in flight. */
  boolean holdsAny() {
    return held != null && !held.isEmpty();
  }

  /** Delivers the reports that are in flight. */
  void release() {
    List<ClusterCommand> late = held == null ? List.of() : held;
    held = null;
    late.forEach(node::askLeader);
  }

  private void look(SimCopy copy, long term) {
    if (!copy.alive()) {
      return;
    }
    if (isKnown(copy) && isProven(copy)) {
      node.process().after(PAUSE_MICROS, () -> look(copy, term));
    } else {
      var _ = begin(copy.copyId());
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
