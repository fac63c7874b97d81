package io.varve.store;

import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * A place that keeps segment files whatever becomes of the copies: each an immutable object under a
 * key of its own, never overwritten.
 */
public interface SegmentStore {

  /** The name of an object: one for each file and term, so that two writers never share one. */
  record Key(ShardId shard, long term, String name, String headerId) {

    public Key {
      if (term < 1) {
        throw new IllegalArgumentException("term must be >= 1, was " + term);
      }
      for (String part : List.of(shard.indexUuid(), name, headerId)) {
        if (part.isEmpty()
            || part.startsWith(".")
            || part.indexOf('/') >= 0
            || part.indexOf('\\') >= 0) {
          throw new IllegalArgumentException("not a part of an object's key: [" + part + "]");
        }
      }
    }

    public static Key of(ShardId shard, long term, SegmentFile file) {
      return new Key(shard, term, file.name(), file.headerId());
    }

    /** {@code segments/<index uuid>/<shard>/<term>/<name>-<header id>}. */
    public String path() {
      return "segments/%s/%d/%d/%s-%s"
          .formatted(shard.indexUuid(), shard.number(), term, name, headerId);
    }
  }

  /**
   * Keeps an object. When this returns it is there, whole and for good; when it throws nothing is
   * there. An object that is there with the same length is left as it is.
   *
   * @throws IOException also when the content has another length, or the key is taken by an object
   *     of another length
   */
  void put(Key key, InputStream content, long lengthBytes) throws IOException;

  boolean exists(Key key) throws IOException;

  /**
   * The bytes {@code [fromByte, fromByte + length)} of an object.
   *
   * @throws SourceGoneException there is no such object
   */
  InputStream open(Key key, long fromByte, long length) throws IOException;

  /** Forgets an object; none there is none to forget. */
  void delete(Key key) throws IOException;

  /** What the store holds of one shard in one term, to read from. */
  default SegmentSource source(ShardId shard, long term) {
    return (file, fromByte, length) -> open(Key.of(shard, term, file), fromByte, length);
  }
}
