package io.varve.standalone.status;

import io.varve.standalone.RestCalls;
import io.varve.standalone.status.ClusterStatus.Follower;
import io.varve.standalone.status.ClusterStatus.Index;
import io.varve.standalone.status.ClusterStatus.Node;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the {@link ClusterStatus} from the tables of a coordinator. */
final class StatusReader {

  private final RestCalls rest;
  private final BreakerReader breakers;

  StatusReader(RestCalls rest) {
    this.rest = rest;
    this.breakers = new BreakerReader(rest);
  }

  ClusterStatus read() throws IOException {
    JsonNode health = json("/_cluster/health");
    JsonNode nodes =
        json(
            "/_cat/nodes?format=json&full_id=true&s=name"
                + "&h=id,name,http_address,heap.percent,load_1m,cluster_manager");
    Map<String, String> names = new HashMap<>();
    nodes.forEach(node -> names.put(text(node, "id"), text(node, "name")));
    BreakerReader.Found found = breakers.read(json("/_prometheus/targets"), names);
    long active = health.path("active_shards").asLong(0);
    return new ClusterStatus(
        text(health, "cluster_name"),
        text(health, "status"),
        active
            + health.path("unassigned_shards").asLong(0)
            + health.path("initializing_shards").asLong(0),
        active,
        nodes(nodes),
        indices(),
        followers(),
        found.open(),
        found.notAsked());
  }

  private JsonNode json(String path) throws IOException {
    return rest.get(path).orThrow().json();
  }

  private List<Node> nodes(JsonNode table) throws IOException {
    JsonNode attributes = json("/_nodes?filter_path=nodes.*.attributes.varve_roles").path("nodes");
    List<Node> nodes = new ArrayList<>();
    for (JsonNode row : table) {
      JsonNode roles = attributes.path(text(row, "id")).path("attributes").path("varve_roles");
      nodes.add(
          new Node(
              text(row, "name"),
              roles.asString(""),
              text(row, "http_address"),
              text(row, "cluster_manager").equals("*"),
              number(row, "heap.percent"),
              decimal(row, "load_1m")));
    }
    return nodes;
  }

  private List<Index> indices() throws IOException {
    Map<String, Long> lags = lags();
    List<Index> indices = new ArrayList<>();
    for (JsonNode row :
        json(
            "/_cat/indices?format=json&bytes=b&s=index&expand_wildcards=all"
                + "&h=index,health,status,pri,rep,docs.count,store.size")) {
      String name = text(row, "index");
      indices.add(
          new Index(
              name,
              text(row, "health"),
              text(row, "status").equals("open"),
              known(number(row, "pri")),
              known(number(row, "rep")),
              number(row, "docs.count"),
              number(row, "store.size"),
              lags.get(name)));
    }
    return indices;
  }

  /** The largest lag of a SEGMENT replica, by index. */
  private Map<String, Long> lags() throws IOException {
    Map<String, Long> lags = new HashMap<>();
    for (JsonNode row :
        json("/_cat/segment_replication?format=json&time=ms&h=shardId,current_lag")) {
      String shard = text(row, "shardId");
      Long lag = number(row, "current_lag");
      if (lag != null && shard.startsWith("[")) {
        lags.merge(shard.substring(1, shard.lastIndexOf("][")), lag, Math::max);
      }
    }
    return lags;
  }

  private List<Follower> followers() throws IOException {
    List<Follower> followers = new ArrayList<>();
    for (JsonNode row :
        json(
            "/_cat/followers?format=json&time=ms&s=index,shard"
                + "&h=index,shard,remote_cluster,leader_index,state,lag,lag_operations")) {
      followers.add(
          new Follower(
              text(row, "index"),
              known(number(row, "shard")),
              text(row, "remote_cluster") + ":" + text(row, "leader_index"),
              text(row, "state"),
              number(row, "lag"),
              number(row, "lag_operations")));
    }
    return followers;
  }

  private static String text(JsonNode row, String column) {
    return row.path(column).asString("");
  }

  /** The values of tables are text; a value that is not known is empty. */
  private static @Nullable Long number(JsonNode row, String column) {
    String text = text(row, column);
    return text.matches("-?\\d{1,18}") ? Long.valueOf(text) : null;
  }

  private static @Nullable Double decimal(JsonNode row, String column) {
    String text = text(row, column);
    return text.matches("\\d{1,9}(\\.\\d{1,9})?") ? Double.valueOf(text) : null;
  }

  private static long known(@Nullable Long number) {
    return number == null ? 0 : number;
  }
}
