package io.varve.store;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The manifests kept in the store itself, beside their files. They allow an index to be restored
 * when the log is lost.
 */
public record StoredPoints(SegmentStore store) {

  private static final Comparator<SegmentStore.Key> NEWEST_FIRST =
      Comparator.comparingLong(SegmentStore.Key::term)
          .thenComparingLong(StoredPoints::generation)
          .reversed();

  /** {@code <generation>-<attempt>.json}. */
  private static final Pattern NAME = Pattern.compile("(\\d{1,18})(?:-[0-9a-f]+)?\\.json");

  /**
   * A point in time of a shard.
   *
   * @param index the index at that time: name, settings, mapping, aliases
   */
  public record Point(StoredManifest stored, JsonNode index) {}

  /**
   * Each put uses a unique name: the index may have changed since an earlier put of the same
   * generation whose outcome is unknown.
   */
  public void put(Point point) throws IOException {
    byte[] json = Json.write(point);
    store.put(key(point.stored()), new ByteArrayInputStream(json), json.length);
  }

  /** The objects, newest first. */
  public List<SegmentStore.Key> keys(ShardId shard) throws IOException {
    return store.list(SegmentStore.Kind.MANIFESTS, shard).stream()
        .map(SegmentStore.Present::key)
        .filter(key -> NAME.matcher(key.object()).matches())
        .sorted(NEWEST_FIRST)
        .toList();
  }

  /**
   * @throws SourceGoneException if there is no such object
   * @throws IOException also if it can't be parsed, for example because a newer version wrote it
   */
  public Point read(SegmentStore.Key key) throws IOException {
    try (InputStream in = store.open(key, 0, Integer.MAX_VALUE)) {
      return Json.read(in.readAllBytes(), Point.class);
    } catch (MalformedRecordException e) {
      throw new IOException("object " + key.path() + ": " + e.getMessage(), e);
    }
  }

  private static SegmentStore.Key key(StoredManifest stored) {
    String attempt = UUID.randomUUID().toString().substring(0, 8);
    if (stored.manifest() == null) {
      throw new IllegalArgumentException("nothing is stored");
    }
    return new SegmentStore.Key(
        SegmentStore.Kind.MANIFESTS,
        stored.shard(),
        stored.term(),
        stored.manifest().generation() + "-" + attempt + ".json");
  }

  private static long generation(SegmentStore.Key key) {
    Matcher name = NAME.matcher(key.object());
    if (!name.matches()) {
      throw new IllegalArgumentException("no manifest: " + key.path());
    }
    return Long.parseLong(name.group(1));
  }
}
