package io.varve.store;

import io.varve.events.ShardId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** An in-memory segment store with fault injection. */
public final class InMemorySegmentStore implements SegmentStore {

  /** Faults of a store, checked on each call; the defaults inject none. */
  public interface Faults {

    Faults NONE = new Faults() {};

    /** Called first in every operation; may block (slow store) or throw (store down). */
    default void before(String operation, Key key) throws IOException {}

    /** Whether an upload is acknowledged and then lost. */
    default boolean losesUpload(Key key) {
      return false;
    }

    /** The number of bytes returned before the stream ends. */
    default long truncate(Key key, long length) {
      return length;
    }

    /** The byte returned for {@code position}. */
    default byte lie(Key key, long position, byte truth) {
      return truth;
    }
  }

  private final Map<Key, byte[]> objects = new ConcurrentHashMap<>();
  private volatile Faults faults = Faults.NONE;

  public void faults(Faults newFaults) {
    faults = newFaults;
  }

  @Override
  public void put(Key key, InputStream content, long lengthBytes) throws IOException {
    faults.before("put", key);
    byte[] bytes = content.readAllBytes();
    byte @Nullable [] present = objects.get(key);
    if (bytes.length != lengthBytes || (present != null && present.length != lengthBytes)) {
      throw new IOException(
          "object " + key.path() + " has " + bytes.length + " bytes, expected " + lengthBytes);
    }
    if (!faults.losesUpload(key)) {
      objects.putIfAbsent(key, bytes);
    }
  }

  @Override
  public boolean exists(Key key) throws IOException {
    faults.before("exists", key);
    return objects.containsKey(key);
  }

  @Override
  public InputStream open(Key key, long fromByte, long length) throws IOException {
    faults.before("open", key);
    byte @Nullable [] bytes = objects.get(key);
    if (bytes == null) {
      throw new SourceGoneException("no object " + key.path());
    }
    int from = Math.toIntExact(Objects.checkIndex(fromByte, (long) bytes.length + 1));
    int given = (int) Math.min(faults.truncate(key, length), bytes.length - from);
    byte[] part = new byte[given];
    for (int i = 0; i < given; i++) {
      part[i] = faults.lie(key, (long) from + i, bytes[from + i]);
    }
    return new ByteArrayInputStream(part);
  }

  @Override
  public void delete(Key key) throws IOException {
    faults.before("delete", key);
    objects.remove(key);
  }

  @Override
  public List<Present> list(Kind kind, ShardId shard) throws IOException {
    List<Present> found = new ArrayList<>();
    for (Map.Entry<Key, byte[]> object : objects.entrySet()) {
      Key key = object.getKey();
      if (key.kind() == kind && key.shard().equals(shard)) {
        faults.before("list", key);
        found.add(new Present(key, object.getValue().length));
      }
    }
    return found;
  }

  @Override
  public List<ShardId> shards(Kind kind) {
    return objects.keySet().stream()
        .filter(key -> key.kind() == kind)
        .map(Key::shard)
        .distinct()
        .toList();
  }

  public int size() {
    return objects.size();
  }
}
