package io.varve.store;

import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A place that keeps segment files whatever becomes of the copies: each an immutable object under a
 * key of its own, never overwritten.
 */
public interface SegmentStore {

  /** What an object is. */
  enum Kind {
    /** One segment file, or several one after the other. */
    SEGMENTS,
    /** A manifest, with what is needed to make the index anew without the log. */
    MANIFESTS;

    String folder() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The name of an object. The term is its writer's, so that two writers never share a key. */
  record Key(Kind kind, ShardId shard, long term, String object) {

    public Key {
      if (term < 1) {
        throw new IllegalArgumentException("term must be >= 1, was " + term);
      }
      for (String part : List.of(shard.indexUuid(), object)) {
        if (part.isEmpty()
            || part.startsWith(".")
            || part.indexOf('/') >= 0
            || part.indexOf('\\') >= 0) {
          throw new IllegalArgumentException("not a part of an object's key: [" + part + "]");
        }
      }
    }

    /** A file in an object of its own: name and header id. */
    public static Key of(ShardId shard, long term, SegmentFile file) {
      return new Key(Kind.SEGMENTS, shard, term, file.name() + "-" + file.headerId());
    }

    /** Of the same content as zstd. */
    Key packed() {
      return new Key(kind, shard, term, object + ".zst");
    }

    /** The key that those names make; empty when nothing of that name was put by this program. */
    public static Optional<Key> parse(Kind kind, ShardId shard, String term, String object) {
      try {
        return Optional.of(new Key(kind, shard, Long.parseLong(term), object));
      } catch (IllegalArgumentException e) {
        System.getLogger(SegmentStore.class.getName())
            .log(System.Logger.Level.DEBUG, "a foreign name in the store", e);
        return Optional.empty();
      }
    }

    /** {@code <kind>/<index uuid>/<shard>/<term>/<object>}. */
    public String path() {
      return "%s/%s/%d/%d/%s"
          .formatted(kind.folder(), shard.indexUuid(), shard.number(), term, object);
    }
  }

  /** An object that is there. */
  record Present(Key key, long lengthBytes) {}

  /**
   * Keeps an object. When this returns it is there, whole and for good; when it throws nothing is
   * there, or all of it: an answer may be lost. An object that is there with the same length is
   * left as it is.
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

  /**
   * The objects of one shard; those that come or go meanwhile may be among them or not. What others
   * have put beside them is left out.
   */
  List<Present> list(Kind kind, ShardId shard) throws IOException;

  /**
   * The shards of which there are objects of that kind, or were. The files of an index have no
   * manifest before its first refresh was stored.
   */
  List<ShardId> shards(Kind kind) throws IOException;
}
