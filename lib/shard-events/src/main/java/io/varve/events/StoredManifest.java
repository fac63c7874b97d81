package io.varve.events;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says that every file of a manifest stands in the segment store, and where.
 *
 * <p>A primary's first record of its term is its <em>claim</em>: it repeats the newest stored
 * manifest that stands before it in the log, or has none. Order: a higher term is newer, claims
 * included; within a term, a higher generation. INVARIANT: what it names was in the store before
 * the record was appended.
 *
 * <p>Who deletes an object first appends a stored manifest that does without it and then finds no
 * claim of a higher term in the log: a later claim stands behind that record and repeats it, or a
 * newer one, so what was deleted is needed by nobody.
 *
 * @param term of the primary that says so, not of the manifest
 * @param manifest {@code null} in a claim when nothing was stored before
 * @param places by file name
 */
public record StoredManifest(
    ShardId shard, long term, @Nullable Manifest manifest, Map<String, Place> places) {

  private static final String STORED = "/stored/";

  /**
   * Where a file begins.
   *
   * @param indexUuid of the index that the file was stored for, when it is another one: an index
   *     that was restored begins with the files of its predecessor
   * @param term in which the object was made; a part of its key
   * @param object the object's name, which holds one file or several one after the other
   * @param packedBytes what it takes there as zstd; {@code null} where it stands as it is
   */
  public record Place(
      @Nullable String indexUuid,
      long term,
      String object,
      long fromByte,
      @Nullable Long packedBytes) {

    /** Of the same index, as it is. */
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

  /** The first record of a term whose predecessors stored nothing, or {@code found}. */
  public static StoredManifest claim(ShardId shard, long term, @Nullable StoredManifest found) {
    return found == null
        ? new StoredManifest(shard, term, null, Map.of())
        : new StoredManifest(shard, term, found.manifest, found.places);
  }

  /**
   * The same point in time as the beginning of another index, whose log is empty: the next
   * operation is to have the next seq_no, at the first offset.
   *
   * @throws IllegalStateException nothing is stored
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

  /** Where these very bytes stand, {@code null} if they are not stored. */
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

  /** One slot for each shard and term, beside that of the published manifests. */
  public byte[] recordKey() {
    return (shard.number() + STORED + term).getBytes(StandardCharsets.UTF_8);
  }

  /** Whether a record of the manifests' topic is one of these. */
  static boolean isKey(byte[] key) {
    return new String(key, StandardCharsets.UTF_8).contains(STORED);
  }
}
