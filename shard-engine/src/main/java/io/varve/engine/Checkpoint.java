package io.varve.engine;

import io.varve.events.Manifest;
import java.util.HashMap;
import java.util.Map;

/**
 * A point in a shard's operations log, as the caller captured it <em>before</em> a refresh or a
 * commit, so that what is on disk is never less than it says.
 *
 * @param nextOffset the first offset that may be missing
 * @param nextSeqNo the seq_no that the operation at or after {@code nextOffset} must have
 * @param fenceTerm the term in force just before {@code nextOffset}, 0 before the first fence
 * @param visibleSeqNo the highest seq_no up to which everything is applied, -1 for none
 */
public record Checkpoint(long nextOffset, long nextSeqNo, long fenceTerm, long visibleSeqNo) {

  /** Before everything. */
  public static final Checkpoint NONE = new Checkpoint(0, 0, 0, -1);

  public Checkpoint {
    if (nextOffset < 0 || nextSeqNo < 0 || fenceTerm < 0 || visibleSeqNo < -1) {
      throw new IllegalArgumentException(
          "checkpoint out of range: next offset "
              + nextOffset
              + ", next seq_no "
              + nextSeqNo
              + ", fence term "
              + fenceTerm
              + ", visible seq_no "
              + visibleSeqNo);
    }
  }

  /** What a commit that holds just what the manifest names carries. */
  static Map<String, String> commitData(Manifest manifest) {
    Map<String, String> data = new HashMap<>(manifest.commitData());
    data.putAll(
        new Checkpoint(
                manifest.nextOffset(),
                manifest.nextSeqNo(),
                manifest.fenceTerm(),
                manifest.visibleSeqNo())
            .toCommitData(manifest.visibleSeqNo()));
    return data;
  }

  Map<String, String> toCommitData(long maxSeqNo) {
    return Map.of(
        "next_offset", Long.toString(nextOffset),
        "next_seq_no", Long.toString(nextSeqNo),
        "fence_term", Long.toString(fenceTerm),
        "visible_seq_no", Long.toString(visibleSeqNo),
        "max_seq_no", Long.toString(maxSeqNo));
  }

  static Checkpoint ofCommitData(Map<String, String> data) {
    if (!data.containsKey("next_offset")) {
      return NONE;
    }
    return new Checkpoint(
        number(data, "next_offset", 0),
        number(data, "next_seq_no", 0),
        number(data, "fence_term", 0),
        number(data, "visible_seq_no", -1));
  }

  static long maxSeqNo(Map<String, String> data) {
    return number(data, "max_seq_no", -1);
  }

  private static long number(Map<String, String> data, String name, long otherwise) {
    String value = data.get(name);
    return value == null ? otherwise : Long.parseLong(value);
  }
}
