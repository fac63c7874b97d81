package io.varve.coordinator.rest.remotestore;

import io.varve.cluster.ActiveShards;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.FollowerIndex;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.index.ActiveShardWait;
import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.StoredManifest;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.StoredIndex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * {@code POST /_remotestore/_restore}: restores, from the segment store, indices that the cluster
 * does not know. Operations after the stored snapshots were lost with their log; the response
 * contains the restored seq_no of each shard.
 *
 * <p>An index that the cluster knows needs no restore: its copies recover automatically from the
 * log and the store. A follower index is not restored; follow its leader index again instead.
 */
public final class RestoreEndpoint implements RestEndpoint {

  private static final Duration READ_WITHIN = Duration.ofMinutes(2);

  private final ClusterAccess cluster;
  private final StoreReader store;

  public RestoreEndpoint(ClusterAccess cluster, StoreReader store) {
    this.cluster = cluster;
    this.store = store;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.POST), "/_remotestore/_restore");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"indices\":[\"books\"]}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    Duration timeout = request.clusterManagerTimeout();
    boolean wait = request.flag("wait_for_completion", false);
    boolean all = request.flag("restore_all_shards", false);
    List<String> wanted = RestoreNames.of(request.bodyAsMap());
    return responder -> {
      ClusterState state = cluster.state();
      List<StoredIndex.Entry> chosen =
          RestoreNames.choose(wanted, store.indices(READ_WITHIN), state.indices().keySet());
      if (all) {
        refuseKnown(wanted, state);
      }
      List<Restored> restored = new ArrayList<>();
      for (Stored stored : restorable(chosen, wanted)) {
        restored.add(restore(stored, timeout));
      }
      var _ = cluster.awaitAcknowledged(timeout);
      responder.json(200, wait ? completed(restored, timeout) : Map.of("accepted", true));
    };
  }

  private static void refuseKnown(List<String> wanted, ClusterState state) {
    for (String name : RestoreNames.among(wanted, state.indices().keySet())) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "cannot restore index ["
                  + name
                  + "] because an index of that name exists in the cluster; delete it first to restore"
                  + " what is stored"));
    }
  }

  private record Stored(StoredIndex found, IndexMetadata metadata) {}

  /**
   * Reads all chosen indices before the first one is restored. A follower index would be restored
   * as a regular index that accepts its own writes, so patterns skip it and its name is rejected.
   */
  private List<Stored> restorable(List<StoredIndex.Entry> chosen, List<String> wanted)
      throws InterruptedException {
    List<Stored> restorable = new ArrayList<>();
    for (StoredIndex.Entry entry : chosen) {
      StoredIndex found = store.index(entry.uuid(), READ_WITHIN);
      IndexMetadata metadata = Json.mapper().treeToValue(found.metadata(), IndexMetadata.class);
      Optional<ErrorBody> refusal = FollowerIndex.refusalToRestore(metadata);
      if (refusal.isEmpty()) {
        restorable.add(new Stored(found, metadata));
      } else if (wanted.contains(entry.name())) {
        throw new ApiException(refusal.get());
      }
    }
    return restorable;
  }

  private record Restored(String name, List<StoredManifest> shards) {}

  private Restored restore(Stored stored, Duration timeout) throws InterruptedException {
    StoredIndex found = stored.found();
    IndexMetadata metadata = stored.metadata();
    if (found.shards().size() != metadata.numberOfShards()) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "the segment store has "
                  + found.shards().size()
                  + " of the "
                  + metadata.numberOfShards()
                  + " shards of ["
                  + found.name()
                  + "]"));
    }
    cluster.change(new ClusterCommand.RestoreIndex(metadata, found.shards()), timeout);
    return new Restored(found.name(), found.shards());
  }

  private Map<String, Object> completed(List<Restored> restored, Duration timeout)
      throws InterruptedException {
    int total = 0;
    int failed = 0;
    Map<String, Object> reached = new LinkedHashMap<>();
    for (Restored index : restored) {
      total += index.shards().size();
      if (!ActiveShardWait.await(cluster, index.name(), ActiveShards.parse("1"), timeout)) {
        failed += index.shards().size();
      }
      reached.put(index.name(), reached(index.shards()));
    }
    return Map.of(
        "remote_store",
        Map.of(
            "indices",
            restored.stream().map(Restored::name).toList(),
            "shards",
            Map.of("total", total, "failed", failed, "successful", total - failed),
            "restored",
            reached));
  }

  private static Map<String, Object> reached(List<StoredManifest> shards) {
    Map<String, Object> reached = new LinkedHashMap<>();
    for (StoredManifest stored : shards) {
      Manifest manifest = Objects.requireNonNull(stored.manifest(), "an object names a manifest");
      reached.put(
          Integer.toString(stored.shard().number()),
          Map.of(
              "max_seq_no",
              manifest.visibleSeqNo(),
              "refreshed_in_millis",
              manifest.createdMillis()));
    }
    return reached;
  }
}
