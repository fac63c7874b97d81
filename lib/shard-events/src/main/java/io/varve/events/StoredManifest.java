package io.varve.events;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Records that every file of a manifest is in the segment store, and where.
 *
 * <p>A primary's first record of its term is its <em>claim</em>: it repeats the newest stored
 * manifest before it in the log, or names none. Order: a higher term is newer, claims included;
 * within a term, a higher generation. INVARIANT: everything that it references was in the store
 * before the record was appended.
 *
 * <p>Before deleting an object, a primary appends a stored manifest that does not reference it and
 * verifies that the log contains no claim of a higher term. A later claim follows that record and
 * repeats it or a newer one, so nothing references the deleted object.
 *
 * @param term of the reporting primary, not of the manifest
 * @param manifest {@code null} in a claim if nothing was stored before
 * @param places by file name
 */
public record StoredManifest(
    ShardId shard, long term, @Nullable Manifest manifest, Map<String, Place> places) {

  private static final String STORED = "/stored/";

  /**
   * Location of a file.
   *
   * @param indexUuid of the index for which the file was stored, if it is a different one: a
   *     restored index starts with its predecessor's files
   * @param term in which the object was created; part of its key
   * @param object the object's name; an object holds one or several concatenated files
   * @param packedBytes its compressed length; {@code null} if it is stored uncompressed
   */
  public record Place(
      @Nullable String indexUuid,
      long term,
      String object,
      long fromByte,
      @Nullable Long packedBytes) {

    /** An uncompressed file of the same index. */
    public Place(long term, String object, long fromByte) {
      this(null, term, object, fromByte, null);
    }

    Place of(String index) {
      return indexUuid == null ? new Place(index, term, object, fromByte, packedBytes) : this;
    }
  }

  public StoredManifest {
    Objects.requireNonNull(shard, "shard");
    places = Map.copyOf(places);
    if (term < 1) {
      throw new IllegalArgumentException("term must be >= 1, was " + term);
    }
    if (manifest != null) {
      for (SegmentFile file : manifest.files()) {
        if (!places.containsKey(file.name())) {
          throw new IllegalArgumentException("no place for file " + file.name());
        }
      }
    }
  }

  /**
   * The first record of a term: {@code found} again, or nothing if the predecessors stored nothing.
   */
  public static StoredManifest claim(ShardId shard, long term, @Nullable StoredManifest found) {
    return found == null
        ? new StoredManifest(shard, term, null, Map.of())
        : new StoredManifest(shard, term, found.manifest, found.places);
  }

  /**
   * The same point in time as the start of another index with an empty log: the next operation gets
   * the next seq_no at the first offset.
   *
   * @throws IllegalStateException if nothing is stored
   */
  public StoredManifest asBeginningOf(String indexUuid) {
    Manifest point = manifest;
    if (point == null) {
      throw new IllegalStateException("nothing is stored of " + shard);
    }
    ShardId other = new ShardId(indexUuid, shard.number());
    Map<String, Place> moved = new HashMap<>();
    places.forEach((name, place) -> moved.put(name, place.of(shard.indexUuid())));
    return new StoredManifest(other, term, point.asBeginningOf(other), moved);
  }

  public boolean isNewerThan(StoredManifest other) {
    if (term != other.term) {
      return term > other.term;
    }
    return manifest != null && (other.manifest == null || manifest.isNewerThan(other.manifest));
  }

  /** The location of a file with this content, {@code null} if it is not stored. */
  public @Nullable Place placeOf(SegmentFile wanted) {
    if (manifest == null) {
      return null;
    }
    return manifest.files().stream()
        .filter(file -> file.name().equals(wanted.name()) && file.sameContent(wanted))
        .findFirst()
        .map(file -> places.get(file.name()))
        .orElse(null);
  }

  /** The record's key, one per shard and term, distinct from that of published manifests. */
  public byte[] recordKey() {
    return (shard.number() + STORED + term).getBytes(StandardCharsets.UTF_8);
  }

  /** Whether a record of the manifests topic is a stored manifest. */
  static boolean isKey(byte[] key) {
    return new String(key, StandardCharsets.UTF_8).contains(STORED);
  }
}
