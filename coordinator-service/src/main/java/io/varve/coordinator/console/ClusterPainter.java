package io.varve.coordinator.console;

import io.varve.client.routing.ClusterSelection;
import io.varve.client.routing.NodeGuards;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.cluster.Health;
import io.varve.events.CopyProgress;
import io.varve.events.NodeHeartbeat;
import io.varve.selection.NodeStatistics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link ClusterPicture} of the cluster state, the newest heartbeats and progress reports,
 * and the ranks of nodes. It asks no other node.
 */
final class ClusterPainter {

  private static final double NANOS_PER_MILLI = 1e6;

  private final ClusterAccess cluster;
  private final ClusterSelection selection;
  private final NodeGuards guards;
  private final int maxShards;
  private final Freshness freshness;

  /**
   * @param maxShards the maximum number of shards in a picture
   */
  ClusterPainter(
      ClusterAccess cluster, ClusterSelection selection, NodeGuards guards, int maxShards) {
    this.cluster = cluster;
    this.selection = selection;
    this.guards = guards;
    this.maxShards = maxShards;
    this.freshness = new Freshness(cluster.clock());
  }

  ClusterPicture paint() {
    ClusterState state = cluster.state();
    Set<String> senders = new HashSet<>();
    List<ClusterPicture.Node> nodes = nodes(state, senders);
    List<ClusterPicture.Index> indices = new ArrayList<>();
    int shown = 0;
    int omitted = 0;
    for (IndexMetadata index : new TreeMap<>(state.indices()).values()) {
      int shards = index.shards().size();
      if (shown + shards > maxShards) {
        omitted += shards;
      } else {
        shown += shards;
        indices.add(index(state, index, senders));
      }
    }
    freshness.retain(senders);
    return new ClusterPicture(
        state.clusterName(),
        state.version(),
        Health.of(state, state.indices().values()).status().word(),
        state.leaderNodeId(),
        state.leaderTerm(),
        nodes,
        indices,
        omitted);
  }

  private List<ClusterPicture.Node> nodes(ClusterState state, Set<String> senders) {
    Map<String, NodeStatistics> statistics = selection.statistics();
    Map<String, NodeHeartbeat> beating =
        cluster.beating().stream()
            .collect(Collectors.toMap(NodeHeartbeat::nodeId, beat -> beat, (one, other) -> other));
    Map<String, ClusterPicture.Node> nodes = new TreeMap<>();
    for (NodeInfo node : state.nodes().values()) {
      nodes.put(
          node.nodeId(),
          new ClusterPicture.Node(
              node.nodeId(),
              node.name(),
              sorted(node.roles()),
              node.url(),
              true,
              load(beating.get(node.nodeId()), senders),
              rank(node.nodeId(), statistics.get(node.nodeId()))));
    }
    for (NodeHeartbeat beat : beating.values()) {
      nodes.computeIfAbsent(
          beat.nodeId(),
          id ->
              new ClusterPicture.Node(
                  id,
                  beat.name(),
                  sorted(beat.roles()),
                  beat.url(),
                  false,
                  load(beat, senders),
                  null));
    }
    return nodes.values().stream()
        .sorted(
            Comparator.comparing(ClusterPicture.Node::name).thenComparing(ClusterPicture.Node::id))
        .toList();
  }

  private static List<String> sorted(Collection<String> roles) {
    return roles.stream().sorted().toList();
  }

  private ClusterPicture.@Nullable Load load(@Nullable NodeHeartbeat beat, Set<String> senders) {
    if (beat == null || beat.load() == null) {
      return null;
    }
    NodeHeartbeat.Load load = beat.load();
    return new ClusterPicture.Load(
        isOverdue("node " + beat.nodeId(), beat.timestampMillis(), senders),
        load.cpuFraction(),
        load.heapUsedBytes(),
        load.heapMaxBytes(),
        load.diskTotalBytes(),
        load.diskFreeBytes());
  }

  private ClusterPicture.@Nullable Rank rank(String nodeId, @Nullable NodeStatistics known) {
    if (known == null || known.averages().isEmpty()) {
      return null;
    }
    NodeStatistics.Averages averages = known.averages().get();
    return new ClusterPicture.Rank(
        averages.rank(),
        averages.serviceTimeNanos() / NANOS_PER_MILLI,
        averages.responseTimeNanos() / NANOS_PER_MILLI,
        averages.queueSize(),
        guards.state(nodeId),
        known.adaptive().backOffNanos() > 0);
  }

  private ClusterPicture.Index index(ClusterState state, IndexMetadata index, Set<String> senders) {
    FollowRelation follow = index.follow();
    return new ClusterPicture.Index(
        index.name(),
        index.replicationType(),
        Health.of(state, index).status().word(),
        index.access().closed(),
        follow == null
            ? null
            : new ClusterPicture.Leader(
                follow.remoteCluster(), follow.leaderIndex(), follow.paused()),
        index.shards().stream().map(shard -> shard(shard, senders)).toList());
  }

  private ClusterPicture.Shard shard(ShardRouting shard, Set<String> senders) {
    long primarySeqNo =
        cluster.progress(shard.primary().copyId()).map(CopyProgress::visibleSeqNo).orElse(-1L);
    List<ClusterPicture.Copy> copies = new ArrayList<>();
    for (CopyRouting copy : shard.copies()) {
      copies.add(copy(copy, role(copy), primarySeqNo, senders));
    }
    for (Relocation relocation : shard.relocations()) {
      copies.add(copy(relocation.target(), "target", primarySeqNo, senders));
    }
    return new ClusterPicture.Shard(shard.shard().number(), shard.primaryTerm(), copies);
  }

  private static String role(CopyRouting copy) {
    if (copy.primary()) {
      return "primary";
    }
    return copy.searchOnly() ? "search" : "replica";
  }

  private ClusterPicture.Copy copy(
      CopyRouting copy, String role, long primarySeqNo, Set<String> senders) {
    return new ClusterPicture.Copy(
        copy.copyId(),
        role,
        copy.state().name().toLowerCase(Locale.ROOT),
        copy.nodeId(),
        copy.reason(),
        copy.nodeId() == null ? null : progress(copy, primarySeqNo, senders));
  }

  private ClusterPicture.@Nullable Progress progress(
      CopyRouting copy, long primarySeqNo, Set<String> senders) {
    CopyProgress progress = cluster.progress(copy.copyId()).orElse(null);
    if (progress == null) {
      return null;
    }
    return new ClusterPicture.Progress(
        isOverdue("copy " + copy.copyId(), progress.timestampMillis(), senders),
        progress.state(),
        progress.visibleSeqNo(),
        Math.max(0, primarySeqNo - progress.visibleSeqNo()),
        progress.bytesBehind(),
        progress.millisBehind(),
        progress.failure());
  }

  private boolean isOverdue(String sender, long stamp, Set<String> senders) {
    senders.add(sender);
    return freshness.isOverdue(sender, stamp);
  }
}
