package io.varve.engine;

import io.varve.events.Manifest;
import java.util.HashMap;
import java.util.Map;

/**
 * A position in a shard's operations log, captured <em>before</em> a refresh or commit, so that the
 * files contain at least everything before it.
 *
 * @param nextOffset the first offset that the files may lack
 * @param nextSeqNo the required seq_no of the operation at or after {@code nextOffset}
 * @param fenceTerm the term in force just before {@code nextOffset}, 0 before the first fence
 * @param visibleSeqNo the highest seq_no up to which everything is applied, -1 for none
 * @param lastRecordMillis the timestamp of the record right before {@code nextOffset}, which
 *     identifies it; -1 if unknown
 */
public record Checkpoint(
    long nextOffset, long nextSeqNo, long fenceTerm, long visibleSeqNo, long lastRecordMillis) {

  /**
   * {@code <offset>:<timestamp>} of the last record. The offset is part of the value because
   * versions without this entry may copy it into later commits.
   */
  static final String LAST_RECORD = "last_record";

  /** The position before the first record. */
  public static final Checkpoint NONE = new Checkpoint(0, 0, 0, -1);

  public Checkpoint {
    if (nextOffset < 0
        || nextSeqNo < 0
        || fenceTerm < 0
        || visibleSeqNo < -1
        || lastRecordMillis < -1) {
      throw new IllegalArgumentException(
          "checkpoint out of range: next offset "
              + nextOffset
              + ", next seq_no "
              + nextSeqNo
              + ", fence term "
              + fenceTerm
              + ", visible seq_no "
              + visibleSeqNo
              + ", last record at "
              + lastRecordMillis);
    }
  }

  /** A checkpoint without the timestamp of the last record. */
  public Checkpoint(long nextOffset, long nextSeqNo, long fenceTerm, long visibleSeqNo) {
    this(nextOffset, nextSeqNo, fenceTerm, visibleSeqNo, -1);
  }

  /** The checkpoint of a manifest's files. */
  public static Checkpoint of(Manifest manifest) {
    return new Checkpoint(
        manifest.nextOffset(),
        manifest.nextSeqNo(),
        manifest.fenceTerm(),
        manifest.visibleSeqNo(),
        lastRecordMillis(manifest.commitData(), manifest.nextOffset()));
  }

  /**
   * The commit data of a commit with exactly the manifest's content.
   *
   * @param maxSeqNo an upper bound of the seq_nos in the files
   */
  static Map<String, String> commitData(Manifest manifest, long maxSeqNo) {
    Map<String, String> data = new HashMap<>(manifest.commitData());
    data.putAll(of(manifest).toCommitData(maxSeqNo));
    return data;
  }

  Map<String, String> toCommitData(long maxSeqNo) {
    Map<String, String> data = new HashMap<>(lastRecord());
    data.put("next_offset", Long.toString(nextOffset));
    data.put("next_seq_no", Long.toString(nextSeqNo));
    data.put("fence_term", Long.toString(fenceTerm));
    data.put("visible_seq_no", Long.toString(visibleSeqNo));
    data.put(Manifest.MAX_SEQ_NO, Long.toString(maxSeqNo));
    return data;
  }

  /** The entry of the last record; empty if the record is unknown. */
  Map<String, String> lastRecord() {
    return lastRecordMillis < 0
        ? Map.of()
        : Map.of(LAST_RECORD, (nextOffset - 1) + ":" + lastRecordMillis);
  }

  private static long lastRecordMillis(Map<String, String> data, long nextOffset) {
    String record = data.getOrDefault(LAST_RECORD, "");
    String offset = (nextOffset - 1) + ":";
    return record.startsWith(offset) ? Long.parseLong(record.substring(offset.length())) : -1;
  }

  static Checkpoint ofCommitData(Map<String, String> data) {
    if (!data.containsKey("next_offset")) {
      return NONE;
    }
    long nextOffset = number(data, "next_offset", 0);
    return new Checkpoint(
        nextOffset,
        number(data, "next_seq_no", 0),
        number(data, "fence_term", 0),
        number(data, "visible_seq_no", -1),
        lastRecordMillis(data, nextOffset));
  }

  static long maxSeqNo(Map<String, String> data) {
    return number(data, Manifest.MAX_SEQ_NO, -1);
  }

  private static long number(Map<String, String> data, String name, long otherwise) {
    String value = data.get(name);
    return value == null ? otherwise : Long.parseLong(value);
  }
}
