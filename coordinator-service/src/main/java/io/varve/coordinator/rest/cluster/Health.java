package io.varve.coordinator.rest.cluster;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Counts of copies, and the resulting status: red if a primary does not serve, yellow if only other
 * copies do not serve, otherwise green. A shard whose writers were removed (search-only) is red if
 * no copy serves.
 *
 * @param moving the number of copies that are relocating; they count as active, and their targets
 *     as initializing
 */
public record Health(Status status, int primaries, int active, Absent absent, int moving) {

  /**
   * Counts of copies that do not serve.
   *
   * @param delayed copies whose node is expected to return; they also count as unassigned
   */
  public record Absent(int initializing, int unassigned, int delayed) {
    static final Absent NONE = new Absent(0, 0, 0);

    Absent plus(Absent other) {
      return new Absent(
          initializing + other.initializing,
          unassigned + other.unassigned,
          delayed + other.delayed);
    }
  }

  /** The status values, from best to worst. */
  public enum Status {
    GREEN,
    YELLOW,
    RED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final Health EMPTY = new Health(Status.GREEN, 0, 0, Absent.NONE, 0);

  /** The status of an index that does not exist. */
  public static final Health MISSING = new Health(Status.RED, 0, 0, Absent.NONE, 0);

  public int initializing() {
    return absent.initializing();
  }

  public int unassigned() {
    return absent.unassigned();
  }

  public int delayed() {
    return absent.delayed();
  }

  public static Health of(ClusterState state, Collection<IndexMetadata> indices) {
    Health health = EMPTY;
    for (IndexMetadata index : indices) {
      health = health.plus(of(state, index));
    }
    return health;
  }

  public static Health of(ClusterState state, IndexMetadata index) {
    Health health = EMPTY;
    for (ShardRouting shard : index.shards()) {
      health = health.plus(of(state, shard));
    }
    return health;
  }

  public static Health of(ClusterState state, ShardRouting shard) {
    int active = 0;
    int initializing = 0;
    int unassigned = 0;
    int delayed = 0;
    for (CopyRouting copy : shard.copies()) {
      boolean lost = copy.nodeId() != null && !state.nodes().containsKey(copy.nodeId());
      if (lost || copy.state() == CopyRouting.State.UNASSIGNED) {
        unassigned++;
        delayed += lost ? 1 : 0;
      } else if (copy.started()) {
        active++;
      } else {
        initializing++;
      }
    }
    boolean primary = state.active(shard.primary());
    boolean served = primary || (shard.released() && active > 0);
    boolean all = shard.copies().stream().allMatch(state::active);
    Status status = !served ? Status.RED : all ? Status.GREEN : Status.YELLOW;
    int moving = shard.relocations().size();
    return new Health(
        status,
        primary ? 1 : 0,
        active,
        new Absent(initializing + moving, unassigned, delayed),
        moving);
  }

  private Health plus(Health other) {
    return new Health(
        status.compareTo(other.status) >= 0 ? status : other.status,
        primaries + other.primaries,
        active + other.active,
        absent.plus(other.absent),
        moving + other.moving);
  }

  /** Returns the percentage of active copies; 100 if there are no copies. */
  public double activePercent() {
    int all = active + initializing() - moving + unassigned();
    return all == 0 ? 100.0 : 100.0 * active / all;
  }

  public static List<NodeInfo> dataNodes(ClusterState state) {
    return state.nodes().values().stream().filter(NodeInfo::holdsCopies).toList();
  }

  public static boolean hasLeader(ClusterState state) {
    return state.nodes().containsKey(state.leaderNodeId());
  }
}
