package io.varve.store;

import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import java.io.IOException;
import java.io.InputStream;

/** Reads segment files from where a stored manifest says that they stand. */
public record StoredSource(SegmentStore store, StoredManifest stored) implements SegmentSource {

  @Override
  public InputStream open(SegmentFile file, long fromByte, long length) throws IOException {
    StoredManifest.Place place = stored.placeOf(file);
    if (place == null) {
      throw new SourceGoneException(file.name() + " is not in the store");
    }
    return store.open(key(stored, place), place.fromByte() + fromByte, length);
  }

  static SegmentStore.Key key(StoredManifest stored, StoredManifest.Place place) {
    ShardId shard =
        place.indexUuid() == null
            ? stored.shard()
            : new ShardId(place.indexUuid(), stored.shard().number());
    return new SegmentStore.Key(SegmentStore.Kind.SEGMENTS, shard, place.term(), place.object());
  }
}
