package io.varve.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A point in time of one shard, published by its primary: the commit point of a refresh.
 *
 * <p>Order: a higher term is newer; within a term, a higher generation. INVARIANTS: every named
 * file existed before the record was appended; {@code nextOffset} was read before the segments were
 * flushed, so replaying from it misses no operation.
 *
 * @param term the primary term of the publisher
 * @param generation counts the publisher's refreshes; increases within a term
 * @param nextOffset the first offset of the operations log that the files may lack
 * @param nextSeqNo the seq_no that the operation at or after {@code nextOffset} must have to be
 *     accepted
 * @param fenceTerm the term in force just before {@code nextOffset}
 * @param visibleSeqNo the highest seq_no up to which all operations are in the files
 * @param segmentInfos Lucene's serialised segment infos, base64
 * @param commitData additional data of a commit at this point, besides its checkpoint
 * @param createdMillis time of the refresh on the publisher's clock
 * @param minReaderVersion the oldest version whose processes can read the files; {@code null} if
 *     the manifest states none
 */
public record Manifest(
    ShardId shard,
    String nodeId,
    long term,
    long generation,
    long nextOffset,
    long nextSeqNo,
    long fenceTerm,
    long visibleSeqNo,
    List<SegmentFile> files,
    String segmentInfos,
    Map<String, String> commitData,
    long createdMillis,
    @Since(3) @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ReaderVersion minReaderVersion) {

  /**
   * Key of the commit data for an upper bound of the seq_nos in the files. It may be at or after
   * {@code nextSeqNo}: operations are applied while the files are written.
   */
  public static final String MAX_SEQ_NO = "max_seq_no";

  public Manifest {
    Objects.requireNonNull(shard, "shard");
    Objects.requireNonNull(nodeId, "nodeId");
    files = List.copyOf(files);
    commitData = Collections.unmodifiableSortedMap(new TreeMap<>(commitData));
    if (term < 1 || generation < 0 || nextOffset < 0 || nextSeqNo < 0 || visibleSeqNo < -1) {
      throw new IllegalArgumentException(
          "manifest out of range: term "
              + term
              + ", generation "
              + generation
              + ", next offset "
              + nextOffset
              + ", next seq_no "
              + nextSeqNo
              + ", visible seq_no "
              + visibleSeqNo);
    }
  }

  /** A manifest that does not state which processes can read its files. */
  public Manifest(
      ShardId shard,
      String nodeId,
      long term,
      long generation,
      long nextOffset,
      long nextSeqNo,
      long fenceTerm,
      long visibleSeqNo,
      List<SegmentFile> files,
      String segmentInfos,
      Map<String, String> commitData,
      long createdMillis) {
    this(
        shard,
        nodeId,
        term,
        generation,
        nextOffset,
        nextSeqNo,
        fenceTerm,
        visibleSeqNo,
        files,
        segmentInfos,
        commitData,
        createdMillis,
        null);
  }

  public boolean isNewerThan(Manifest other) {
    return term != other.term ? term > other.term : generation > other.generation;
  }

  /** An upper bound of the seq_nos in the files; manifests of release 0.1 state none. */
  public OptionalLong maxSeqNo() {
    String stated = commitData.get(MAX_SEQ_NO);
    return stated == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(stated));
  }

  /**
   * The same documents at the start of an empty log. No seq_no of a document is reused for another
   * operation, because a replay would skip it as older than the document.
   */
  Manifest asBeginningOf(ShardId other) {
    long heldSeqNo = maxSeqNo().orElse(-1);
    return new Manifest(
        other,
        nodeId,
        term,
        generation,
        0,
        Math.max(nextSeqNo, heldSeqNo + 1),
        fenceTerm,
        Math.max(visibleSeqNo, heldSeqNo),
        files,
        segmentInfos,
        commitData,
        createdMillis,
        minReaderVersion);
  }

  public long totalBytes() {
    return files.stream().mapToLong(SegmentFile::lengthBytes).sum();
  }

  public byte[] segmentInfosBytes() {
    return Base64.getDecoder().decode(segmentInfos);
  }

  /**
   * The record's key, one per shard and term, so that compaction keeps the newest manifest of each.
   */
  public byte[] recordKey() {
    return (shard.number() + "/" + term).getBytes(StandardCharsets.UTF_8);
  }
}
