package io.varve.host.apply;

import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.RecordDigest;
import io.varve.events.ShardId;
import io.varve.rpc.ForkPlace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The origins of operations in a shard that follows another cluster: the position of each applied
 * operation in the leader's log, as far back as a commit may need.
 *
 * <p>A position that is too low is safe, since repeated operations are dropped by seq_no.
 */
public final class Origins {

  private static final String OFFSET = "origin_offset";
  private static final String TERM = "origin_term";

  /**
   * {@code <offset>:<digest>} of the leader's record. The offset is part of the value because
   * versions without this entry may copy it into later commits.
   */
  private static final String DIGEST = "origin_digest";

  /** An operation and its origin. */
  public record Held(long seqNo, Operation.Origin origin) {}

  private final ConcurrentSkipListMap<Long, Operation.Origin> bySeqNo =
      new ConcurrentSkipListMap<>();

  /** The origin in the user data of a commit; {@code null} for none. */
  public static Operation.@Nullable Origin ofCommit(Map<String, String> data) {
    String offset = data.get(OFFSET);
    String term = data.get(TERM);
    return offset == null || term == null
        ? null
        : new Operation.Origin(Long.parseLong(offset), Long.parseLong(term), digest(data, offset));
  }

  private static long digest(Map<String, String> data, String offset) {
    String digest = data.getOrDefault(DIGEST, "");
    String ofOffset = offset + ":";
    return digest.startsWith(ofOffset)
        ? Long.parseLong(digest.substring(ofOffset.length()))
        : RecordDigest.UNKNOWN;
  }

  /**
   * Starts with the origin in an engine's commit, which contains everything up to {@code seqNo}.
   */
  public static Origins ofCommit(Map<String, String> data, long seqNo) {
    Origins origins = new Origins();
    Operation.Origin committed = ofCommit(data);
    if (committed != null) {
      origins.bySeqNo.put(seqNo, committed);
    }
    return origins;
  }

  /**
   * The leader's manifest as the content of a follower's shard before the first record of its log.
   * The origin is the manifest's position in the leader's log: an origin in the manifest itself is
   * a position in the log of the leader's own leader.
   *
   * @param digest of the leader's record right before the manifest's {@code nextOffset}, or {@link
   *     RecordDigest#UNKNOWN}
   */
  public static Manifest beginning(ShardId follower, Manifest leader, long digest) {
    Map<String, String> data = new HashMap<>(leader.commitData());
    data.keySet().removeAll(List.of(OFFSET, TERM, DIGEST));
    data.putAll(
        commitData(new Operation.Origin(leader.nextOffset() - 1, leader.fenceTerm(), digest)));
    return new Manifest(
        follower,
        leader.nodeId(),
        leader.term(),
        leader.generation(),
        0,
        leader.nextSeqNo(),
        0,
        leader.visibleSeqNo(),
        leader.files(),
        leader.segmentInfos(),
        data,
        leader.createdMillis(),
        leader.minReaderVersion());
  }

  /** Records an applied operation; one without an origin is ignored. */
  public void applied(Operation operation) {
    Operation.Origin origin = operation.origin();
    if (origin != null) {
      bySeqNo.putIfAbsent(operation.seqNo(), origin);
    }
  }

  public void put(long seqNo, Operation.Origin origin) {
    bySeqNo.put(seqNo, origin);
  }

  /** The newest up to {@code seqNo}. */
  public Operation.@Nullable Origin upTo(long seqNo) {
    Held newest = newest(seqNo);
    return newest == null ? null : newest.origin();
  }

  /**
   * The newest up to {@code seqNo}, with its own seq_no. A reader that started at this origin and
   * expected a seq_no later than the next one could accept a record that the leader rejected.
   */
  public @Nullable Held newest(long seqNo) {
    var newest = bySeqNo.floorEntry(seqNo);
    return newest == null ? null : new Held(newest.getKey(), newest.getValue());
  }

  /**
   * The fork of a promoted shard from its former leader, which accepted everything up to {@code
   * seqNo} before its primary's fence.
   *
   * @param term of the primary
   */
  public ForkPlace forkAt(long seqNo, long fenceOffset, long term) {
    Held last = newest(seqNo);
    return last == null
        ? new ForkPlace(-1, 0, -1, null, fenceOffset, term)
        : new ForkPlace(
            last.origin().offset(),
            last.origin().term(),
            last.seqNo(),
            last.origin().hasDigest() ? last.origin().digest() : null,
            fenceOffset,
            term);
  }

  /** The user data of a commit up to {@code seqNo}, which must not decrease between calls. */
  public Map<String, String> commitData(long seqNo) {
    var newest = bySeqNo.floorEntry(seqNo);
    if (newest == null) {
      return Map.of();
    }
    bySeqNo.headMap(newest.getKey()).clear();
    return commitData(newest.getValue());
  }

  /**
   * The user data of a commit with the operations up to a fork: the log of the promoted index
   * continues after its fence.
   */
  public static Map<String, String> commitDataOf(ForkPlace fork) {
    return commitData(new Operation.Origin(fork.offset(), fork.term(), RecordDigest.UNKNOWN));
  }

  /** The user data of a commit whose newest operation has this origin. */
  private static Map<String, String> commitData(Operation.Origin origin) {
    Map<String, String> data = new HashMap<>();
    data.put(OFFSET, Long.toString(origin.offset()));
    data.put(TERM, Long.toString(origin.term()));
    if (origin.hasDigest()) {
      data.put(DIGEST, origin.offset() + ":" + origin.digest());
    }
    return data;
  }
}
