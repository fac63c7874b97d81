package io.varve.store;

import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A store that keeps segment files independently of the copies, each as an immutable object under
 * its own key, never overwritten.
 */
public interface SegmentStore {

  /** Kind of an object. */
  enum Kind {
    /** One segment file, or several concatenated ones. */
    SEGMENTS,
    /** A manifest, with the metadata needed to restore the index without the log. */
    MANIFESTS;

    String folder() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The name of an object. It contains the writer's term, so two writers never share a key. */
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

    /** The key of an object that holds a single file: name and header id. */
    public static Key of(ShardId shard, long term, SegmentFile file) {
      return new Key(Kind.SEGMENTS, shard, term, file.name() + "-" + file.headerId());
    }

    /** The key for the zstd-compressed form of the same content. */
    Key packed() {
      return new Key(kind, shard, term, object + ".zst");
    }

    /** Parses a key; empty if the names were not written by Varve. */
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

  /** An existing object. */
  record Present(Key key, long lengthBytes) {}

  /**
   * Stores an object. On return the object is complete and durable; on failure either nothing or
   * the complete object may be stored, since a response can be lost. An existing object of the same
   * length is left unchanged.
   *
   * @throws IOException also if the content's length differs, or the key is taken by an object of
   *     another length
   */
  void put(Key key, InputStream content, long lengthBytes) throws IOException;

  boolean exists(Key key) throws IOException;

  /**
   * Opens the bytes {@code [fromByte, fromByte + length)} of an object.
   *
   * @throws SourceGoneException if there is no such object
   */
  InputStream open(Key key, long fromByte, long length) throws IOException;

  /** Deletes an object if it exists. */
  void delete(Key key) throws IOException;

  /**
   * Lists the objects of one shard; concurrent changes may or may not be included. Foreign objects
   * are skipped.
   */
  List<Present> list(Kind kind, ShardId shard) throws IOException;

  /**
   * The shards that have, or had, objects of this kind. An index has files but no manifest until
   * its first refresh is stored.
   */
  List<ShardId> shards(Kind kind) throws IOException;
}
