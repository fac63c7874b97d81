package io.varve.testkit.sim;

import io.varve.events.Manifest;
import io.varve.events.ShardId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The segment store, and the newest manifest whose files are all in it. */
final class Store {

  private final Map<String, Segment> objects = new HashMap<>();
  private final Map<ShardId, Manifest> newest = new HashMap<>();

  void put(ShardId shard, Segment segment) {
    objects.put(shard + segment.identity().name(), segment);
  }

  @Nullable Segment segment(ShardId shard, String name) {
    return objects.get(shard + name);
  }

  boolean holdsAll(Manifest manifest) {
    return manifest.files().stream()
        .allMatch(file -> {
          Segment segment = segment(manifest.shard(), file.name());
          return segment != null && segment.identity().sameContent(file);
        });
  }

  void landed(Manifest manifest) {
    Manifest known = newest.get(manifest.shard());
    if (holdsAll(manifest) && (known == null || manifest.isNewerThan(known))) {
      newest.put(manifest.shard(), manifest);
    }
  }

  @Nullable Manifest newest(ShardId shard) {
    return newest.get(shard);
  }
}
