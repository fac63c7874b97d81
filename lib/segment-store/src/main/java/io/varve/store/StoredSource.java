package io.varve.store;

import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Reads segment files from the locations recorded in a stored manifest. Thread-safe. */
public final class StoredSource implements SegmentSource {

  private final SegmentStore store;
  private final StoredManifest stored;

  /** Frame tables of compressed files that were read in part, by name. */
  private final Map<String, FrameTable> tables = new ConcurrentHashMap<>();

  public StoredSource(SegmentStore store, StoredManifest stored) {
    this.store = store;
    this.stored = stored;
  }

  public StoredManifest stored() {
    return stored;
  }

  @Override
  public InputStream open(SegmentFile file, long fromByte, long length) throws IOException {
    StoredManifest.Place place = stored.placeOf(file);
    if (place == null) {
      throw new SourceGoneException(file.name() + " is not in the store");
    }
    Long packedBytes = place.packedBytes();
    if (packedBytes == null) {
      return store.open(key(stored, place), place.fromByte() + fromByte, length);
    }
    FrameTable.Part part = part(file, place, packedBytes, fromByte, length);
    InputStream packed =
        store.open(key(stored, place), place.fromByte() + part.fromByte(), part.lengthBytes());
    return unpacked(packed, part.skippedBytes(), length);
  }

  /** Reads of a complete file, or of a file with a single frame, need no table. */
  private FrameTable.Part part(
      SegmentFile file, StoredManifest.Place place, long packedBytes, long fromByte, long length)
      throws IOException {
    int tableBytes = FrameTable.tableBytes(file.lengthBytes());
    if (tableBytes == 0 || (fromByte == 0 && length >= file.lengthBytes())) {
      return new FrameTable.Part(0, packedBytes - tableBytes, fromByte);
    }
    FrameTable known = tables.get(file.name());
    if (known == null) {
      long at = place.fromByte() + packedBytes - tableBytes;
      try (InputStream in = store.open(key(stored, place), at, tableBytes)) {
        known = FrameTable.read(in.readNBytes(tableBytes), file.lengthBytes(), packedBytes);
      }
      tables.put(file.name(), known);
    }
    return known.part(fromByte, length);
  }

  private static InputStream unpacked(InputStream packed, long skippedBytes, long length)
      throws IOException {
    try {
      InputStream content = WireCompression.decompressing(packed);
      content.skipNBytes(skippedBytes);
      return new LimitedStream(content, length);
    } catch (IOException e) {
      packed.close();
      throw e;
    }
  }

  static SegmentStore.Key key(StoredManifest stored, StoredManifest.Place place) {
    ShardId shard =
        place.indexUuid() == null
            ? stored.shard()
            : new ShardId(place.indexUuid(), stored.shard().number());
    return new SegmentStore.Key(SegmentStore.Kind.SEGMENTS, shard, place.term(), place.object());
  }
}
