package io.varve.cluster;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The state of a reader of the cluster log at one offset. It replaces all records before that
 * offset. In the log it is the JSON of this record, split into consecutive {@link
 * ClusterEvent.SnapshotPart}s.
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
    return parts(PART_CHARACTERS);
  }

  List<ClusterEvent.SnapshotPart> parts(int characters) {
    String text = new String(Json.write(this), StandardCharsets.UTF_8);
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
    return Json.read(text.toString().getBytes(StandardCharsets.UTF_8), ClusterSnapshot.class);
  }

  /** The state after the last part: each part is an event that changes only the version. */
  ClusterState stateAfter(int parts) {
    return state.at(state.version() + parts);
  }
}
