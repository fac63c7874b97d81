package io.varve.coordinator.rest.search;

import io.varve.client.NodeClient;
import io.varve.client.NodeClient.Pit;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.search.SearchContextId.Member;
import io.varve.process.Parallel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes and lists the search contexts that nodes keep open. */
final class ContextNodes {

  private static final Logger LOG = LoggerFactory.getLogger(ContextNodes.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final NodeClient client;
  private final Parallel parallel;

  ContextNodes(NodeClient client, Parallel parallel) {
    this.client = client;
    this.parallel = parallel;
  }

  /**
   * The result of closing contexts.
   *
   * @param readers the number of readers that were open
   * @param perhapsOpen contexts that may stay open until they expire, because their node could not
   *     be reached
   */
  record Released(int readers, Set<String> perhapsOpen) {}

  /**
   * Closes the contexts on all nodes that are members; a node that has left has no open contexts.
   */
  Released release(ClusterState state, Collection<SearchContextId> ids)
      throws InterruptedException {
    Map<String, Set<String>> contextsOfNodes = new LinkedHashMap<>();
    for (SearchContextId id : ids) {
      for (Member member : id.shards()) {
        contextsOfNodes
            .computeIfAbsent(member.nodeId(), _ -> new LinkedHashSet<>())
            .add(id.context());
      }
    }
    List<Released> answers =
        parallel.map(
            new ArrayList<>(contextsOfNodes.entrySet()),
            entry -> releaseOn(state, entry.getKey(), entry.getValue()));
    Set<String> perhapsOpen = new LinkedHashSet<>();
    answers.forEach(answer -> perhapsOpen.addAll(answer.perhapsOpen()));
    return new Released(answers.stream().mapToInt(Released::readers).sum(), perhapsOpen);
  }

  private Released releaseOn(ClusterState state, String nodeId, Set<String> contexts)
      throws InterruptedException {
    NodeInfo node = state.nodes().get(nodeId);
    if (node == null) {
      return new Released(0, Set.of());
    }
    try {
      Map<String, Integer> freed = client.release(node, contexts, TIMEOUT);
      return new Released(freed.values().stream().mapToInt(Integer::intValue).sum(), Set.of());
    } catch (UnreachableException e) {
      LOG.warn(
          "search contexts on node {} stay open until they expire: {}", nodeId, e.getMessage());
      return new Released(0, contexts);
    }
  }

  /** Closes all scrolls of the cluster and returns the number of their readers. */
  int releaseScrolls(ClusterState state) throws InterruptedException {
    List<Integer> freed = parallel.map(holders(state), this::releaseScrollsOn);
    return freed.stream().mapToInt(Integer::intValue).sum();
  }

  private int releaseScrollsOn(NodeInfo node) throws InterruptedException {
    try {
      return client.releaseScrolls(node, TIMEOUT);
    } catch (UnreachableException e) {
      LOG.warn("scrolls on node {} stay open until they expire: {}", node.name(), e.getMessage());
      return 0;
    }
  }

  private static List<NodeInfo> holders(ClusterState state) {
    return state.nodes().values().stream().filter(NodeInfo::holdsCopies).toList();
  }

  /** Returns all open points in time with all their readers. */
  Map<String, OpenPit> pits(ClusterState state) throws InterruptedException {
    List<NodeInfo> nodes = holders(state);
    Map<String, OpenPit> open = new LinkedHashMap<>();
    List<List<Pit>> answers = parallel.map(nodes, this::pitsOn);
    for (int i = 0; i < nodes.size(); i++) {
      for (Pit pit : answers.get(i)) {
        open.computeIfAbsent(pit.id(), _ -> new OpenPit(new ArrayList<>(), new HashMap<>()))
            .add(pit, nodes.get(i).nodeId());
      }
    }
    return open;
  }

  private List<Pit> pitsOn(NodeInfo node) throws InterruptedException {
    try {
      return client.pits(node, TIMEOUT);
    } catch (UnreachableException e) {
      LOG.warn("node {} did not list its points in time: {}", node.name(), e.getMessage());
      return List.of();
    }
  }

  /** The readers of one point in time. */
  record OpenPit(List<Pit> readers, Map<Pit, String> nodes) {

    private void add(Pit pit, String nodeId) {
      readers.add(pit);
      nodes.put(pit, nodeId);
    }

    /**
     * Returns the id of the point in time. Its readers, which are reported per node, are sorted by
     * shard.
     */
    SearchContextId id(ClusterState state) {
      List<Member> members =
          readers.stream()
              .sorted(java.util.Comparator.comparingInt(Pit::ordinal))
              .map(pit ->
                  new Member(
                      state
                          .index(pit.shard().indexUuid())
                          .map(index -> index.name())
                          .orElse(pit.shard().indexUuid()),
                      pit.shard(),
                      String.valueOf(nodes.get(pit)),
                      pit.filter()))
              .toList();
      Pit first = readers.getFirst();
      return new SearchContextId(
          SearchContextId.Kind.PIT, first.id(), first.openedMillis(), members);
    }

    long keepAliveMillis() {
      return readers.stream().mapToLong(Pit::keepAliveMillis).max().orElse(0);
    }
  }
}
