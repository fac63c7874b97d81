package io.varve.store;

import io.varve.events.Manifest;
import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import io.varve.rpc.StoredIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Lists the indices in the store, from their stored manifests; the log is not consulted. */
public record StoreCatalog(StoredPoints points) {

  public StoreCatalog(SegmentStore store) {
    this(new StoredPoints(store));
  }

  public List<StoredIndex.Entry> entries() throws IOException {
    Map<String, ShardId> first = new TreeMap<>();
    for (ShardId shard : points.store().shards(SegmentStore.Kind.MANIFESTS)) {
      first.merge(
          shard.indexUuid(), shard, (one, other) -> one.number() < other.number() ? one : other);
    }
    List<StoredIndex.Entry> entries = new ArrayList<>();
    for (ShardId shard : first.values()) {
      StoredPoints.Point newest = newest(shard);
      if (newest != null) {
        entries.add(
            new StoredIndex.Entry(
                name(newest), shard.indexUuid(), manifest(newest.stored()).createdMillis()));
      }
    }
    return entries;
  }

  /** {@code null} if the store has nothing of the index. */
  public @Nullable StoredIndex index(String uuid) throws IOException {
    List<StoredPoints.Point> newest = new ArrayList<>();
    for (ShardId shard : points.store().shards(SegmentStore.Kind.MANIFESTS)) {
      StoredPoints.Point point = shard.indexUuid().equals(uuid) ? newest(shard) : null;
      if (point != null) {
        newest.add(point);
      }
    }
    if (newest.isEmpty()) {
      return null;
    }
    // Mappings only grow, so the newest contains all fields.
    StoredPoints.Point last =
        newest.stream()
            .max(Comparator.comparingLong(point -> manifest(point.stored()).createdMillis()))
            .orElseThrow();
    return new StoredIndex(
        name(last),
        uuid,
        manifest(last.stored()).createdMillis(),
        last.index(),
        newest.stream()
            .map(StoredPoints.Point::stored)
            .sorted(Comparator.comparingInt(stored -> stored.shard().number()))
            .toList());
  }

  private StoredPoints.@Nullable Point newest(ShardId shard) throws IOException {
    for (SegmentStore.Key key : points.keys(shard)) {
      try {
        return points.read(key);
      } catch (SourceGoneException e) {
        System.getLogger(StoreCatalog.class.getName())
            .log(System.Logger.Level.DEBUG, "it was collected as garbage after it was listed", e);
      }
    }
    return null;
  }

  private static String name(StoredPoints.Point point) {
    return point.index().path("name").asString();
  }

  private static Manifest manifest(StoredManifest stored) {
    return Objects.requireNonNull(stored.manifest(), "an object names a manifest");
  }
}
