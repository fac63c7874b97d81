package io.varve.cluster;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The state of a reader of the cluster log at one offset. It replaces all records before that
 * offset. In the log it is the JSON of this record, split into consecutive {@link
 * ClusterEvent.SnapshotPart}s. The JSON of a large cluster is packed first, as Base64 of gzip:
 * otherwise the appends of a snapshot of 100,000 shards would exceed the limit of bytes in flight,
 * and no snapshot of such a cluster would ever be complete. JSON begins with a brace, Base64 does
 * not.
 *
 * @param format of the JSON, {@link #FORMAT}
 * @param state just before the first part
 * @param deletedIndices as in {@link DeletedIndexUuids}, the oldest first
 */
public record ClusterSnapshot(int format, ClusterState state, List<String> deletedIndices) {

  static final int FORMAT = 1;

  /**
   * The number of characters in a part. A character takes at most six bytes in a JSON string, so a
   * part always fits into a record of 1 MiB.
   */
  static final int PART_CHARACTERS = 128 << 10;

  private static final int BUFFER_BYTES = 64 << 10;

  /** A JSON of more bytes is packed. */
  static final int PLAIN_BYTES = 8 << 20;

  public ClusterSnapshot {
    deletedIndices = List.copyOf(deletedIndices);
    if (format != FORMAT) {
      throw new IllegalArgumentException(
          "a snapshot of format " + format + "; this release reads format " + FORMAT);
    }
  }

  public static ClusterSnapshot of(ClusterState state, List<String> deletedIndices) {
    return new ClusterSnapshot(FORMAT, state, deletedIndices);
  }

  public List<ClusterEvent.SnapshotPart> parts() {
    return parts(PART_CHARACTERS, PLAIN_BYTES);
  }

  List<ClusterEvent.SnapshotPart> parts(int characters) {
    return parts(characters, PLAIN_BYTES);
  }

  List<ClusterEvent.SnapshotPart> parts(int characters, int plainBytes) {
    byte[] json = Json.write(this);
    String text =
        json.length > plainBytes ? packed(json) : new String(json, StandardCharsets.UTF_8);
    List<String> cut = new ArrayList<>();
    int from = 0;
    while (from < text.length()) {
      int to = Math.min(text.length(), from + characters);
      if (to < text.length() && Character.isHighSurrogate(text.charAt(to - 1))) {
        to++;
      }
      cut.add(text.substring(from, to));
      from = to;
    }
    List<ClusterEvent.SnapshotPart> parts = new ArrayList<>(cut.size());
    for (String part : cut) {
      parts.add(new ClusterEvent.SnapshotPart(parts.size(), cut.size(), part));
    }
    return parts;
  }

  /**
   * @param parts all parts in order
   * @throws MalformedRecordException if this release can't read the snapshot
   */
  static ClusterSnapshot read(List<ClusterEvent.SnapshotPart> parts) {
    StringBuilder text = new StringBuilder();
    parts.forEach(part -> text.append(part.text()));
    boolean plain = text.isEmpty() || text.charAt(0) == '{';
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    return Json.read(plain ? bytes : unpacked(bytes), ClusterSnapshot.class);
  }

  private static String packed(byte[] json) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(json.length / 8);
    try (GZIPOutputStream out = new GZIPOutputStream(bytes, BUFFER_BYTES)) {
      out.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  private static byte[] unpacked(byte[] text) {
    try (GZIPInputStream in =
        new GZIPInputStream(
            new ByteArrayInputStream(Base64.getDecoder().decode(text)), BUFFER_BYTES)) {
      return in.readAllBytes();
    } catch (IOException | IllegalArgumentException e) {
      throw new MalformedRecordException("a packed snapshot can't be read", e);
    }
  }

  /** The state after the last part: each part is an event that changes only the version. */
  ClusterState stateAfter(int parts) {
    return state.at(state.version() + parts);
  }
}
