package io.varve.coordinator.rest.cluster;

import static io.varve.rest.JsonObjects.object;

import io.varve.client.CopyReader;
import io.varve.client.NodeReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.rpc.CopyStats;
import io.varve.rpc.NodeDetails;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The additional information of {@code include_disk_info}: the disks of the data nodes, and size
 * and folder of each copy of the index. A node has one folder, so its least and its most available
 * disk are the same. Nodes that do not answer in time are left out.
 */
final class DiskInfo {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final ClusterAccess cluster;
  private final NodeReader nodes;
  private final CopyReader copies;

  DiskInfo(ClusterAccess cluster, NodeReader nodes, CopyReader copies) {
    this.cluster = cluster;
    this.nodes = nodes;
    this.copies = copies;
  }

  Map<String, Object> of(ClusterState state, IndexMetadata index) throws InterruptedException {
    Map<String, Object> byNode = new LinkedHashMap<>();
    List<NodeInfo> holding =
        NodeFilter.select(cluster, null).stream().filter(NodeFilter::holdsCopies).toList();
    for (NodeReader.Answer answer : nodes.read(holding, TIMEOUT)) {
      NodeDetails reported = answer.details();
      if (reported != null) {
        Map<String, Object> usage = usage(reported);
        byNode.put(
            answer.node().nodeId(),
            object(
                "node_name", answer.node().name(),
                "least_available", usage,
                "most_available", usage));
      }
    }
    Map<String, Object> sizes = new LinkedHashMap<>();
    Map<String, Object> paths = new LinkedHashMap<>();
    for (CopyReader.Answer<CopyStats> answer : copies.stats(state, List.of(index))) {
      answer
          .result()
          .ifPresent(stats -> {
            String name =
                "["
                    + index.name()
                    + "]["
                    + answer.copy().shard().number()
                    + "]["
                    + (answer.primary() ? "p" : "r")
                    + "]";
            sizes.put(name + "_bytes", stats.storeBytes());
            paths.put(name + "[" + answer.copy().node().nodeId() + "]", stats.dataPath());
          });
    }
    return object(
        "nodes", byNode,
        "shard_sizes", sizes,
        "shard_paths", paths,
        "reserved_sizes", List.of());
  }

  private static Map<String, Object> usage(NodeDetails reported) {
    double total = reported.number(0, "fs", "total", "total_in_bytes");
    double free = reported.number(0, "fs", "total", "available_in_bytes");
    Object path =
        reported.stats("fs").get("data") instanceof List<?> folders
                && !folders.isEmpty()
                && folders.getFirst() instanceof Map<?, ?> folder
            ? folder.get("path")
            : "";
    double freePercent = total <= 0 ? 0 : Math.round(1000 * free / total) / 10.0;
    return object(
        "path",
        path,
        "total_bytes",
        (long) total,
        "used_bytes",
        (long) (total - free),
        "free_bytes",
        (long) free,
        "free_disk_percent",
        freePercent,
        "used_disk_percent",
        Math.round(10 * (100 - freePercent)) / 10.0);
  }
}
