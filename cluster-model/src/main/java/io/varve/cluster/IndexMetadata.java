package io.varve.cluster;

import io.varve.events.ShardId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of an index.
 *
 * @param settings flat, each under its full name {@code index.…}, values as strings; what was set
 *     or fixed at creation
 * @param mapping the mapping's JSON: {@code {"properties":{…},…}}, {@code {}} when empty
 * @param mappingVersion from 1, rises with each change of the mapping
 * @param follow the index of another cluster that this one follows, if any
 * @param shards by number
 */
public record IndexMetadata(
    String name,
    String uuid,
    long createdMillis,
    Map<String, String> settings,
    long settingsVersion,
    String mapping,
    long mappingVersion,
    @Nullable Follow follow,
    List<ShardRouting> shards) {

  public static final String SEGMENT = "SEGMENT";
  public static final String DOCUMENT = "DOCUMENT";

  /**
   * The leader index that an index follows, and the node that pulls. {@code nodeId} is null while
   * there is none.
   */
  public record Follow(
      String remoteCluster,
      String leaderIndex,
      String leaderUuid,
      @Nullable String nodeId,
      long assignment) {}

  public IndexMetadata {
    settings = Map.copyOf(settings);
    shards = List.copyOf(shards);
    if (shards.isEmpty()) {
      throw new IllegalArgumentException("index " + name + " has no shards");
    }
  }

  public ShardRouting shard(int number) {
    return shards.get(number);
  }

  public int numberOfShards() {
    return shards.size();
  }

  public int numberOfReplicas() {
    return Integer.parseInt(settings.getOrDefault("index.number_of_replicas", "1"));
  }

  /** {@link #SEGMENT} or {@link #DOCUMENT}. */
  public String replicationType() {
    return settings.getOrDefault("index.replication.type", SEGMENT);
  }

  public IndexMetadata withShard(ShardId shard, UnaryOperator<ShardRouting> change) {
    return withShards(s -> s.shard().equals(shard) ? change.apply(s) : s);
  }

  public IndexMetadata withShards(UnaryOperator<ShardRouting> change) {
    return new IndexMetadata(
        name,
        uuid,
        createdMillis,
        settings,
        settingsVersion,
        mapping,
        mappingVersion,
        follow,
        shards.stream().map(change).toList());
  }

  public IndexMetadata withMapping(String newMapping, long version) {
    return new IndexMetadata(
        name, uuid, createdMillis, settings, settingsVersion, newMapping, version, follow, shards);
  }

  /** The same with settings changed; a {@code null} value takes the setting away. */
  public IndexMetadata withSettings(Map<String, @Nullable String> changes, long version) {
    Map<String, String> merged = new TreeMap<>(settings);
    changes.forEach((key, value) -> {
      if (value == null) {
        merged.remove(key);
      } else {
        merged.put(key, value);
      }
    });
    return new IndexMetadata(
        name, uuid, createdMillis, merged, version, mapping, mappingVersion, follow, shards);
  }

  public IndexMetadata withFollow(@Nullable Follow newFollow) {
    return new IndexMetadata(
        name,
        uuid,
        createdMillis,
        settings,
        settingsVersion,
        mapping,
        mappingVersion,
        newFollow,
        shards);
  }

  public IndexMetadata withRouting(List<ShardRouting> newShards) {
    return new IndexMetadata(
        name,
        uuid,
        createdMillis,
        settings,
        settingsVersion,
        mapping,
        mappingVersion,
        follow,
        newShards);
  }
}
