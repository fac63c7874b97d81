package io.varve.coordinator.rest.ccr;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RemoteCluster;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.SettingsTree;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code PUT /{index}/_ccr/follow}: creates an index that follows one of another cluster, with the
 * same number of shards, the same mapping and the settings that it needs. The cluster setting
 * {@code cluster.remote.<alias>.seeds} lists the REST addresses of the other cluster's
 * coordinators.
 */
public final class FollowEndpoint implements RestEndpoint {

  private static final Set<String> KEYS = Set.of("remote_cluster", "leader_index", "settings");

  /** Settings that decide on which shard a document is; they must be the same in both indices. */
  private static final Set<String> LEADERS =
      Set.of("index.number_of_shards", "index.number_of_routing_shards");

  /**
   * What the leader's mapping rests on. The follower takes it unless its request says otherwise.
   */
  private static final List<String> OF_THE_MAPPING =
      List.of(
          "index.analysis.", "index.mapping.", "index.max_ngram_diff", "index.max_shingle_diff");

  private final ClusterAccess cluster;
  private final HttpClient http;

  public FollowEndpoint(ClusterAccess cluster, HttpClient http) {
    this.cluster = cluster;
    this.http = http;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.PUT), "/{index}/_ccr/follow");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"remote_cluster\":\"east\",\"leader_index\":\"books\"}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String follower = request.required("index");
    Duration timeout = request.clusterManagerTimeout();
    Map<String, Object> body = request.bodyAsMap();
    for (String key : body.keySet()) {
      if (!KEYS.contains(key)) {
        throw new ApiException(
            400, "x_content_parse_exception", "[follow] unknown field [" + key + "]");
      }
    }
    String remote = text(body, "remote_cluster");
    String leader = text(body, "leader_index");
    Map<String, @Nullable String> own = new TreeMap<>();
    if (body.get("settings") instanceof Map<?, ?> settings) {
      SettingsTree.flatten(settings)
          .forEach(
              (name, value) -> own.put(name.startsWith("index.") ? name : "index." + name, value));
    } else if (body.containsKey("settings")) {
      throw new ApiException(ErrorBody.illegalArgument("[settings] must be an object"));
    }
    for (String fixed : LEADERS) {
      if (own.containsKey(fixed)) {
        throw new ApiException(
            ErrorBody.illegalArgument(
                "[" + fixed + "] of a follower index is taken from its leader index"));
      }
    }
    return responder -> {
      RemoteCluster.Export export = export(remote, leader);
      cluster.change(command(follower, remote, export.index(), own), timeout);
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("follow_index_created", true);
      answer.put("follow_index_shards_acked", false);
      answer.put("index_following_started", true);
      responder.json(200, answer);
    };
  }

  private static String text(Map<String, Object> body, String key) {
    if (body.get(key) instanceof String value && !value.isEmpty()) {
      return value;
    }
    throw new ApiException(
        400,
        "action_request_validation_exception",
        "Validation Failed: 1: " + key + " is missing;");
  }

  private RemoteCluster.Export export(String remote, String leader) throws InterruptedException {
    List<String> seeds = ClusterSettings.remoteSeeds(cluster.state()).get(remote);
    if (seeds == null) {
      throw new ApiException(
          404, "no_such_remote_cluster_exception", "no such remote cluster: [" + remote + "]");
    }
    try {
      return new RemoteCluster(http, seeds).export(leader);
    } catch (RemoteCluster.MissingIndexException e) {
      throw new ApiException(
          ErrorBody.of(
                  404,
                  "index_not_found_exception",
                  "no such index [" + leader + "] in [" + remote + "]")
              .with("index", leader));
    } catch (IOException e) {
      throw new ApiException(
          503,
          "connect_transport_exception",
          "remote cluster [" + remote + "] did not answer: " + e.getMessage());
    }
  }

  /** Settings that the mapping needs are the leader's; those of copies are the follower's own. */
  private static ClusterCommand.CreateIndex command(
      String follower, String remote, IndexMetadata leader, Map<String, @Nullable String> own) {
    Map<String, @Nullable String> settings = new TreeMap<>();
    leader
        .settings()
        .forEach((name, value) -> {
          if (OF_THE_MAPPING.stream().anyMatch(name::startsWith)) {
            settings.put(name, value);
          }
        });
    settings.putAll(own);
    settings.put("index.number_of_shards", Integer.toString(leader.numberOfShards()));
    String routingShards = leader.settings().get("index.number_of_routing_shards");
    if (routingShards != null) {
      settings.put("index.number_of_routing_shards", routingShards);
    }
    return new ClusterCommand.CreateIndex(
        follower,
        settings,
        leader.mapping(),
        new ClusterCommand.Follow(remote, leader.name(), leader.uuid()));
  }
}
