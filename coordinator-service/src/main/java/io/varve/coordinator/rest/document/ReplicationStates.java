package io.varve.coordinator.rest.document;

import io.varve.client.CopyAddress;
import io.varve.client.ShardClient;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.ShardId;
import io.varve.process.Parallel;
import io.varve.rest.JsonObjects;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.HoldsWire.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The replication states of documents in a response ({@code replication_state=true}), as the
 * primaries of their shards know them. The request causes no replication; if a primary does not
 * answer, the state is unknown.
 */
public final class ReplicationStates {

  public static final String PARAMETER = "replication_state";

  /** The field of a document with its state. */
  public static final String FIELD = "_replication";

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Map<String, Object> UNKNOWN = Map.of("state", "unknown");
  private static final List<String> NAMES =
      List.of("replicated", "replicating", "re_replicating", "unreplicated");

  private final ClusterAccess cluster;
  private final ShardClient client;
  private final Parallel parallel;

  public ReplicationStates(ClusterAccess cluster, ShardClient client, Parallel parallel) {
    this.cluster = cluster;
    this.client = client;
    this.parallel = parallel;
  }

  /** A document of a response. */
  public record Shown(ShardId shard, Version version) {}

  /**
   * Refuses indices whose primaries do not track states.
   *
   * @throws ApiException 400
   */
  public static void requireStrong(Collection<IndexMetadata> indices) {
    for (IndexMetadata index : indices) {
      if (!IndexSettings.isStrong(index.settings())) {
        throw new ApiException(
            ErrorBody.illegalArgument(
                "["
                    + PARAMETER
                    + "] needs [index.replication.consistency=strong], which index ["
                    + index.name()
                    + "] does not have"));
      }
    }
  }

  /** The states, in the order of the documents, as they are shown. */
  public List<Map<String, Object>> of(List<Shown> documents) throws InterruptedException {
    Map<ShardId, List<Integer>> positions = new LinkedHashMap<>();
    for (int i = 0; i < documents.size(); i++) {
      positions.computeIfAbsent(documents.get(i).shard(), _ -> new ArrayList<>()).add(i);
    }
    List<Map<String, Object>> states =
        new ArrayList<>(Collections.nCopies(documents.size(), UNKNOWN));
    List<Map.Entry<ShardId, List<Integer>>> shards = List.copyOf(positions.entrySet());
    List<List<Integer>> answers =
        parallel.map(
            shards,
            shard ->
                ask(
                    shard.getKey(),
                    shard.getValue().stream().map(i -> documents.get(i).version()).toList()));
    for (int s = 0; s < shards.size(); s++) {
      List<Integer> at = shards.get(s).getValue();
      for (int i = 0; i < answers.get(s).size(); i++) {
        states.set(at.get(i), shown(answers.get(s).get(i)));
      }
    }
    return states;
  }

  /** Empty if the primary does not answer. */
  private List<Integer> ask(ShardId shard, List<Version> versions) throws InterruptedException {
    ClusterState state = cluster.state();
    Optional<CopyAddress> primary =
        state.shard(shard).flatMap(routing -> CopyAddress.of(state, routing, routing.primary()));
    if (primary.isEmpty()) {
      return List.of();
    }
    try {
      return client.replicationStates(primary.get(), versions, TIMEOUT);
    } catch (ApiException | ShardClient.UnreachableException e) {
      return List.of();
    }
  }

  private static Map<String, Object> shown(int code) {
    return code >= 0 && code < NAMES.size()
        ? JsonObjects.object("state", NAMES.get(code), "code", code)
        : UNKNOWN;
  }
}
