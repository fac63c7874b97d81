package io.varve.replication.replica;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.store.FanOut;
import io.varve.store.PeerWait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The other copies of the shard that this one asks for a manifest's files before the publisher, by
 * {@link FanOut}: in the order of the copies in the routing. A copy that did not answer or was late
 * is skipped for some time. Used by one thread at a time.
 */
final class PeerPlaces {

  private static final long AVOIDED_MILLIS = 30_000;

  /**
   * A copy that may have the files.
   *
   * @param started whether it is started; otherwise it is still being built
   */
  record Peer(String copyId, String url, boolean started) {}

  private final CopyContext context;
  private final UnaryOperator<List<String>> order;
  private final Map<String, Long> avoidedUntilMillis = new HashMap<>();

  /** The copies that {@link FanOut} names for this one. */
  PeerPlaces(CopyContext context) {
    this(context, copies -> FanOut.before(copies, context.copyId()));
  }

  /**
   * @param order selects and orders the other copies to ask
   */
  PeerPlaces(CopyContext context, UnaryOperator<List<String>> order) {
    this.context = context;
    this.order = order;
  }

  /** The copies to ask, in this order. */
  List<Peer> before(Manifest target) {
    ClusterState state = context.node().cluster().current();
    long now = context.node().clock().millis();
    avoidedUntilMillis.values().removeIf(until -> until <= now);
    List<String> copies = new ArrayList<>();
    Map<String, Peer> peers = new HashMap<>();
    for (CopyRouting copy :
        context.routing().map(routing -> routing.everywhere()).orElse(List.of())) {
      NodeInfo node = copy.nodeId() == null ? null : state.nodes().get(copy.nodeId());
      if (node != null && !copy.primary() && !copy.isOn(target.nodeId())) {
        copies.add(copy.copyId());
        boolean started = copy.state() == CopyRouting.State.STARTED;
        peers.put(copy.copyId(), new Peer(copy.copyId(), node.url(), started));
      }
    }
    return order.apply(copies).stream()
        .filter(copyId -> !avoidedUntilMillis.containsKey(copyId))
        .map(peers::get)
        .filter(Objects::nonNull)
        .toList();
  }

  /** That copy did not answer, or was late. */
  void avoid(Peer peer) {
    avoidedUntilMillis.put(peer.copyId(), context.node().clock().millis() + AVOIDED_MILLIS);
  }

  /** The wait for one of them, limited well below the lag at which a replica counts as stale. */
  PeerWait.Limits limits(PeerWait.Limits configured) {
    long staleMillis =
        ClusterSettings.millis(context.node().cluster().current(), ClusterSettings.PRESSURE_TIME);
    return configured.within(staleMillis / 2);
  }
}
