package io.varve.coordinator.rest.remotestore;

import static io.varve.rest.JsonObjects.object;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.index.ShardCounts;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.StoredManifest;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code _remotestore/metadata}: the newest commits of each shard in the segment store, with their
 * files. Translog metadata does not exist: operations are in the message log.
 */
public final class RemoteStoreMetadataEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final StoreReader store;

  public RemoteStoreMetadataEndpoint(ClusterAccess cluster, StoreReader store) {
    this.cluster = cluster;
    this.store = store;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_remotestore/metadata/{index}", "/_remotestore/metadata/{index}/{shard_id}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    String wanted = request.param("shard_id");
    Duration timeout = request.time("timeout", Duration.ofSeconds(30));
    IndexOptions options = IndexOptions.of(request, IndexOptions.LENIENT);
    return responder -> {
      ClusterState state = cluster.state();
      ShardCounts counts = new ShardCounts();
      Map<String, Object> shown = new LinkedHashMap<>();
      for (IndexMetadata index : IndexResolver.resolve(state, expression, options)) {
        Map<String, Object> shards = new LinkedHashMap<>();
        for (ShardRouting shard : shards(index, wanted)) {
          counts.add(1, 0);
          try {
            shards.put(
                Integer.toString(shard.shard().number()),
                List.of(shard(index, shard, store.points(shard.shard(), timeout))));
            counts.add(0, 1);
          } catch (ApiException e) {
            counts.addFailure(index.name(), shard.shard().number(), e.error());
          }
        }
        if (!shards.isEmpty()) {
          shown.put(index.name(), object("shards", shards));
        }
      }
      responder.json(200, object("_shards", counts.toMap(), "indices", shown));
    };
  }

  private static List<ShardRouting> shards(IndexMetadata index, String wanted) {
    return index.shards().stream()
        .filter(shard -> IndexSettings.isRemoteBacked(index.settings()))
        .filter(shard -> wanted == null || wanted.equals(Integer.toString(shard.shard().number())))
        .toList();
  }

  private static Map<String, Object> shard(
      IndexMetadata index, ShardRouting shard, List<StoredManifest> points) {
    Map<String, Object> available = new LinkedHashMap<>();
    List<String> names = new ArrayList<>();
    for (StoredManifest point : points) {
      Manifest manifest = point.manifest();
      if (manifest != null) {
        String name = "metadata__" + point.term() + "__" + manifest.generation();
        names.add(name);
        available.put(name, point(index, point, manifest));
      }
    }
    return object(
        "index",
        index.name(),
        "shard",
        shard.shard().number(),
        "latest_segment_metadata_filename",
        names.isEmpty() ? null : names.getFirst(),
        "latest_translog_metadata_filename",
        null,
        "available_segment_metadata_files",
        available,
        "available_translog_metadata_files",
        object());
  }

  private static @Nullable Long storedBytes(
      SegmentFile file, StoredManifest.@Nullable Place place) {
    if (place == null) {
      return null;
    }
    return place.packedBytes() == null ? file.lengthBytes() : place.packedBytes();
  }

  private static Map<String, Object> point(
      IndexMetadata index, StoredManifest point, Manifest manifest) {
    Map<String, Object> files = new LinkedHashMap<>();
    for (SegmentFile file : manifest.files()) {
      StoredManifest.Place place = point.placeOf(file);
      files.put(
          file.name(),
          object(
              "original_name", file.name(),
              "uploaded_name", place == null ? null : place.object(),
              "checksum", file.checksum(),
              "length", file.lengthBytes(),
              "stored_length", storedBytes(file, place)));
    }
    return object(
        "files",
        files,
        "replication_checkpoint",
        object(
            "shard_id", "[" + index.name() + "][" + point.shard().number() + "]",
            "primary_term", manifest.term(),
            "segments_gen", manifest.generation(),
            "segment_infos_version", manifest.generation(),
            "length", manifest.totalBytes(),
            "codec", IndexSettings.value(index.settings(), IndexSettings.CODEC),
            "max_seq_no", manifest.visibleSeqNo(),
            "created_timestamp", manifest.createdMillis()));
  }
}
