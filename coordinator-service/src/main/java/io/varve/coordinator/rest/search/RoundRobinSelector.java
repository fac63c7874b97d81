package io.varve.coordinator.rest.search;

import io.varve.client.CopyAddress;
import io.varve.client.routing.CopySelector;
import io.varve.cluster.RoutingHash;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Selects the copies of a shard in round-robin order.
 *
 * <p>Preferences: {@code _primary}, {@code _replica}, {@code _search_replica} (these copies only),
 * {@code _primary_first}, {@code _replica_first}, {@code _only_nodes:a,b} and {@code
 * _prefer_nodes:a,b} by id or name, {@code _local} and {@code _only_local} by host, because a
 * coordinator holds no copies itself; any other string is a custom key, which always selects the
 * same copy.
 */
public final class RoundRobinSelector implements CopySelector {

  /**
   * The counters are cleared when they exceed this number: shards are created and deleted with
   * their indices.
   */
  private static final int MOST_SHARDS = 10_000;

  private final Supplier<@Nullable String> localHost;
  private final Map<ShardId, AtomicInteger> turns = new ConcurrentHashMap<>();

  /**
   * @param localHost supplies the host of this coordinator; null while it is unknown
   */
  public RoundRobinSelector(Supplier<@Nullable String> localHost) {
    this.localHost = localHost;
  }

  @Override
  public List<CopyAddress> order(List<CopyAddress> started, @Nullable String preference) {
    if (started.isEmpty()) {
      return started;
    }
    if (preference == null || preference.isEmpty()) {
      return rotated(started, turn(started));
    }
    if (!preference.startsWith("_")) {
      return rotated(started, RoutingHash.hash(preference));
    }
    int colon = preference.indexOf(':');
    String type = colon < 0 ? preference : preference.substring(0, colon);
    List<String> nodes =
        colon < 0 ? List.of() : Arrays.asList(preference.substring(colon + 1).split(",", -1));
    return switch (type) {
      case "_primary" -> started.stream().filter(copy -> copy.copy().primary()).toList();
      case "_replica" ->
          rotated(
              started.stream()
                  .filter(copy -> !copy.copy().primary() && !copy.copy().searchOnly())
                  .toList(),
              turn(started));
      case "_search_replica" ->
          rotated(
              started.stream().filter(copy -> copy.copy().searchOnly()).toList(), turn(started));
      case "_primary_first" -> started;
      case "_replica_first" -> rotated(started, 1);
      case "_only_nodes" ->
          rotated(started.stream().filter(copy -> isOn(copy, nodes)).toList(), turn(started));
      case "_local" -> localFirst(rotated(started, turn(started)));
      case "_only_local" -> rotated(started.stream().filter(this::isLocal).toList(), turn(started));
      case "_prefer_nodes" -> preferred(rotated(started, turn(started)), nodes);
      default ->
          throw new ApiException(
              ErrorBody.illegalArgument("no Preference for [" + preference + "]"));
    };
  }

  private int turn(List<CopyAddress> started) {
    if (turns.size() > MOST_SHARDS) {
      turns.clear();
    }
    return turns
        .computeIfAbsent(started.getFirst().shard(), shard -> new AtomicInteger())
        .getAndIncrement();
  }

  int shardsInTurn() {
    return turns.size();
  }

  private static List<CopyAddress> rotated(List<CopyAddress> copies, int by) {
    if (copies.size() < 2) {
      return copies;
    }
    List<CopyAddress> rotated = new ArrayList<>(copies);
    Collections.rotate(rotated, -Math.floorMod(by, copies.size()));
    return rotated;
  }

  private boolean isLocal(CopyAddress copy) {
    return NodeFilter.host(copy.node()).equals(localHost.get());
  }

  private List<CopyAddress> localFirst(List<CopyAddress> copies) {
    List<CopyAddress> ordered = new ArrayList<>(copies);
    ordered.sort((a, b) -> Boolean.compare(isLocal(b), isLocal(a)));
    return ordered;
  }

  private static boolean isOn(CopyAddress copy, List<String> nodes) {
    return nodes.contains(copy.node().nodeId()) || nodes.contains(copy.node().name());
  }

  private static List<CopyAddress> preferred(List<CopyAddress> copies, List<String> nodes) {
    List<CopyAddress> ordered = new ArrayList<>(copies);
    ordered.sort((a, b) -> Boolean.compare(isOn(b, nodes), isOn(a, nodes)));
    return ordered;
  }
}
