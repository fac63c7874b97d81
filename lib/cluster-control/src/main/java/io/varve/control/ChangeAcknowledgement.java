package io.varve.control;

import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.events.Feature;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides when a coordinator may acknowledge a change of the cluster state, or of another state
 * that all coordinators apply, to a client: when each coordinator has applied it, because the
 * client may send its next request to any of them.
 *
 * <pre>
 *   process                                                     the client waits for it
 *   this coordinator                                            no: it has applied the version
 *   a coordinator that is a member, and answered that it has    no: its version never decreases
 *     applied the version
 *   any other coordinator that is a member                      yes
 *   a coordinator that is no member                             no: it serves no request before it
 *                                                               has applied its own join
 *   a data node                                                 no: requests name the version that
 *                                                               it must know
 * </pre>
 *
 * Below the level of {@link Feature#APPLIED_VERSIONS} the client waits for no coordinator, because
 * members may be unable to answer.
 *
 * <p>INVARIANT: the members are those of a cluster state that contains the change, or was current
 * after the change. So a coordinator that is missing has joined later, or was removed. A removed
 * coordinator that does not know it may still serve requests from an older state. Not thread-safe.
 */
public final class ChangeAcknowledgement {

  private final String localNodeId;
  private final long version;
  private final long membersVersion;
  private final Set<String> applied = new HashSet<>();

  /**
   * @param localNodeId of this coordinator
   * @param version of a state that contains the change
   */
  public ChangeAcknowledgement(String localNodeId, long version) {
    this(localNodeId, version, version);
  }

  /**
   * A change of another state than that of the cluster.
   *
   * @param version of that state, which contains the change
   * @param membersVersion of a cluster state that was current after the change
   */
  public ChangeAcknowledgement(String localNodeId, long version, long membersVersion) {
    this.localNodeId = localNodeId;
    this.version = version;
    this.membersVersion = membersVersion;
  }

  /**
   * Whether a coordinator that has started may begin to serve requests: changes that other
   * coordinators acknowledge wait for it only after it has joined.
   *
   * @param state the newest that it has applied
   */
  public static boolean mayServe(ClusterState state, String nodeId, String incarnation) {
    return state.node(nodeId).filter(node -> node.incarnation().equals(incarnation)).isPresent()
        || state.nodes().values().stream()
            .filter(node -> node.has(NodeInfo.COORDINATOR))
            .allMatch(node -> node.nodeId().equals(nodeId));
  }

  /** The coordinator has applied that version; returns whether the client need not wait for it. */
  public boolean answered(NodeInfo coordinator, long appliedVersion) {
    if (appliedVersion >= version) {
      applied.add(coordinator.incarnation());
    }
    return appliedVersion >= version;
  }

  /**
   * Returns the coordinators for which the client still waits. If there is none, the change may be
   * acknowledged.
   *
   * @param state the newest that this coordinator has applied
   */
  public List<NodeInfo> open(ClusterState state) {
    if (state.version() < membersVersion) {
      throw new IllegalArgumentException(
          "version "
              + state.version()
              + " does not contain the change of version "
              + membersVersion);
    }
    if (!state.has(Feature.APPLIED_VERSIONS)) {
      return List.of();
    }
    return state.nodes().values().stream()
        .filter(node -> node.has(NodeInfo.COORDINATOR) && !node.nodeId().equals(localNodeId))
        .filter(node -> !applied.contains(node.incarnation()))
        .toList();
  }
}
