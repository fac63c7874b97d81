package io.varve.shard.primary;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.events.ShardId;
import io.varve.rpc.FolderPosition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The answers of the other copies of a strongly consistent shard to a primary that asks which
 * operations they hold, and the copies that it still has to ask.
 *
 * <pre>
 *   a copy holds what the log lost        the log is refused, before anything is appended to it
 *   its node is in the cluster, and       it is asked again, until it answers or its node leaves
 *   does not answer
 *   its node is not in the cluster        the copy counts as lost
 *   it is a search-only copy              it is not asked: gets do not wait for it
 *   no primary was ever started           no copy is asked: no get returned anything
 *   it is of a term before the shard      it counts as empty: its data is discarded
 *   was revived
 * </pre>
 *
 * No I/O; not thread-safe.
 */
public final class HeldAnswers {

  /** The result of comparing an answer with the log. */
  public sealed interface Outcome {

    /** The log holds what the copy holds. */
    record Held() implements Outcome {}

    /** The log lost what the copy holds. */
    record LostByLog(String reason) implements Outcome {}
  }

  private final ShardId shard;
  private final String copyId;
  private final long revivedTerm;
  private final Map<String, Long> nextSeqNos = new HashMap<>();

  /**
   * @param copyId of the primary that asks
   * @param revivedTerm the term in which the shard was revived last; 0 if it never was
   */
  public HeldAnswers(ShardId shard, String copyId, long revivedTerm) {
    this.shard = shard;
    this.copyId = copyId;
    this.revivedTerm = revivedTerm;
  }

  /** The copies that have to be asked. */
  public List<CopyRouting> unanswered(ClusterState state) {
    return state.shard(shard).stream()
        .flatMap(routing -> LostShard.others(routing, copyId).stream())
        .filter(copy -> !copy.searchOnly() && !nextSeqNos.containsKey(copy.copyId()))
        .filter(copy -> state.nodes().containsKey(String.valueOf(copy.nodeId())))
        .toList();
  }

  /** Records the answer of a copy; a copy whose content the log lost has to be asked again. */
  public Outcome answered(CopyRouting copy, FolderPosition held) {
    boolean counts = held.held() && held.fenceTerm() >= revivedTerm;
    String lost = held.lost();
    if (counts && lost != null) {
      return new Outcome.LostByLog(
          "copy %s on node %s holds what it lacks: %s"
              .formatted(copy.copyId(), copy.nodeId(), lost));
    }
    nextSeqNos.put(copy.copyId(), counts ? held.nextSeqNo() : 0);
    return new Outcome.Held();
  }

  /** One of the copies that answered holds all operations before this seq_no; 0: none holds any. */
  public long nextSeqNo() {
    return nextSeqNos.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }
}
