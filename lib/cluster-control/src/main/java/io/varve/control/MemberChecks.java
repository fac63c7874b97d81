package io.varve.control;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.control.AddressProbe.Outcome;
import io.varve.control.FaultDetection.Suspect;
import io.varve.control.FaultDetection.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Carries out {@link FaultDetection} for a leader: probes the addresses of suspected members, and
 * converts the decisions to events. Members that are not suspected are not probed.
 *
 * <p>The leader's thread alone uses this class, except for its counts.
 */
public final class MemberChecks {

  /** The start of the reason in the cluster log. */
  public static final String REFUSES = "refuses connections";

  private static final Logger LOG = LoggerFactory.getLogger(MemberChecks.class);

  /** Receives the outcome of a probe on any thread. */
  @FunctionalInterface
  interface Probed {
    void accept(Suspect suspect, Outcome outcome);
  }

  /**
   * What the leader knows now.
   *
   * @param heard the last sign of life of a node, by its id
   */
  record Situation(ClusterState state, Function<String, NodeSigns.Heard> heard, long nowMillis) {}

  private final FaultDetection faults;
  private final AddressProbe probe;
  private final Map<FaultDetection.Cause, LongAdder> suspicions =
      Map.of(
          FaultDetection.Cause.DISCONNECTED, new LongAdder(),
          FaultDetection.Cause.SILENT, new LongAdder());
  private final LongAdder refusedRemovals = new LongAdder();
  private final LongAdder silentRemovals = new LongAdder();

  public MemberChecks(FaultDetection faults, AddressProbe probe) {
    this.faults = faults;
    this.probe = probe;
  }

  /** A connection to that process of the node was refused or broke. */
  void disconnected(Situation now, String nodeId, String incarnation, Probed probed) {
    now.state()
        .node(nodeId)
        .filter(member -> member.incarnation().equals(incarnation))
        .flatMap(member -> faults.disconnected(member, now.nowMillis()))
        .ifPresent(suspect -> probe(suspect, probed));
  }

  /** Suspects silent members. */
  void tick(Situation now, Probed probed) {
    faults
        .silent(
            now.state().nodes().values(),
            member -> now.heard().apply(member.nodeId()).silentMillis(),
            now.nowMillis())
        .forEach(suspect -> probe(suspect, probed));
  }

  private void probe(Suspect suspect, Probed probed) {
    suspicions.get(suspect.cause()).increment();
    LOG.atLevel(level(suspect))
        .log(
            "suspecting node [{}] ({}): {}",
            suspect.node().name(),
            suspect.node().nodeId(),
            switch (suspect.cause()) {
              case DISCONNECTED ->
                  "a connection to " + suspect.node().url() + " was refused or broke";
              case SILENT -> "its heartbeats stopped";
            });
    probe.connect(
        suspect.node().url(), suspect.delayMillis(), outcome -> probed.accept(suspect, outcome));
  }

  /** On a saturated machine, heartbeats are late every few seconds. */
  private static Level level(Suspect suspect) {
    return switch (suspect.cause()) {
      case DISCONNECTED -> Level.INFO;
      case SILENT -> Level.DEBUG;
    };
  }

  /** Returns the event to append, if the process has ended; otherwise probes again if needed. */
  Optional<ClusterEvent> probed(Situation now, Suspect suspect, Outcome outcome, Probed probed) {
    NodeInfo node = suspect.node();
    Verdict verdict =
        faults.probed(
            suspect,
            outcome,
            now.state().nodes().get(node.nodeId()),
            now.heard().apply(node.nodeId()),
            now.nowMillis());
    return switch (verdict) {
      case Verdict.Outdated() -> Optional.empty();
      case Verdict.Again(long delayMillis) -> {
        probe.connect(node.url(), delayMillis, next -> probed.accept(suspect, next));
        yield Optional.empty();
      }
      case Verdict.Trusted(String reason) -> {
        LOG.atLevel(level(suspect))
            .log("no longer suspecting node [{}] ({}): {}", node.name(), node.nodeId(), reason);
        yield Optional.empty();
      }
      case Verdict.Removed(long silentMillis) -> {
        refusedRemovals.increment();
        String reason = REFUSES + " and is silent for " + silentMillis + " ms";
        LOG.warn("removing node [{}] ({}): it {}", node.name(), node.nodeId(), reason);
        yield Optional.of(new ClusterEvent.NodeLeft(node.nodeId(), reason));
      }
    };
  }

  /** Ends all suspicions, because the leader steps down. */
  void forget() {
    faults.forget();
  }

  /** The number of suspicions for that reason. */
  public long suspicions(FaultDetection.Cause cause) {
    return suspicions.get(cause).sum();
  }

  /** Counts and logs the members that {@link Membership} removes. */
  void removed(ClusterState state, List<ClusterEvent> changes) {
    for (ClusterEvent change : changes) {
      if (change instanceof ClusterEvent.NodeLeft(String nodeId, String reason)) {
        silentRemovals.increment();
        String name = state.node(nodeId).map(NodeInfo::name).orElse("");
        LOG.warn("removing node [{}] ({}): it is {}", name, nodeId, reason);
      }
    }
  }

  /** The number of members that were removed because their address refuses connections. */
  public long refusedRemovals() {
    return refusedRemovals.sum();
  }

  /** The number of members that were removed because of their heartbeats alone. */
  public long silentRemovals() {
    return silentRemovals.sum();
  }
}
