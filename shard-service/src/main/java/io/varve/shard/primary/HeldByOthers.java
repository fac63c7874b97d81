package io.varve.shard.primary;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.host.CopyContext;
import io.varve.log.LogBeginning;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.process.Sleeper;
import io.varve.rpc.FolderPosition;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies that the log holds what the other copies of a strongly consistent shard hold. A get may
 * have returned an operation that is in no manifest yet. If the log loses it while the process of
 * the primary restarts from an older commit, only the other copies show that it existed.
 *
 * <pre>
 *   a copy holds what the log lost        the log is refused, before anything is appended to it
 *   its node is in the cluster, and       it is asked again, until it answers or its node leaves
 *   does not answer
 *   its node is not in the cluster        the copy counts as lost
 *   it is a search-only copy              it is not asked: gets do not wait for it
 *   no primary was ever started           no copy is asked: no get returned anything
 * </pre>
 */
final class HeldByOthers {

  private static final Logger LOG = LoggerFactory.getLogger(HeldByOthers.class);
  private static final long PAUSE_NANOS = Duration.ofMillis(200).toNanos();

  private final CopyContext context;
  private final OtherFolders folders;
  private final Sleeper sleeper;
  private final Map<String, Long> nextSeqNos = new HashMap<>();

  HeldByOthers(CopyContext context) {
    this(context, Sleeper.SYSTEM);
  }

  HeldByOthers(CopyContext context, Sleeper sleeper) {
    this.context = context;
    this.folders = new OtherFolders(context);
    this.sleeper = sleeper;
  }

  /**
   * Blocks until all copies have answered.
   *
   * @return one of them holds all operations before this seq_no; 0 if none holds any
   * @throws LogException.Lost if the log lacks what one of them holds
   */
  long verify() throws LogException, InterruptedException {
    PartitionLog log = context.operations();
    long revivedTerm = LogBeginning.of(log).revivedTerm();
    boolean logged = false;
    while (true) {
      List<CopyRouting> left = unanswered(log, revivedTerm);
      if (left.isEmpty()) {
        return nextSeqNos.values().stream().mapToLong(Long::longValue).max().orElse(0);
      }
      if (!logged) {
        logged = true;
        LOG.warn("{} waits for what these copies hold: {}", context.shard(), left);
      }
      sleeper.sleep(PAUSE_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /** Asks the copies that have not answered, and returns those that did not do so this time. */
  private List<CopyRouting> unanswered(PartitionLog log, long revivedTerm)
      throws LogException, InterruptedException {
    ClusterState state = context.node().cluster().current();
    List<CopyRouting> others =
        state
            .shard(context.shard())
            .map((ShardRouting shard) -> LostShard.others(shard, context.copyId()))
            .orElse(List.of());
    for (CopyRouting copy : others) {
      if (isAsked(state, copy)) {
        FolderPosition held = folders.position(node(state, copy));
        if (held != null) {
          nextSeqNos.put(copy.copyId(), nextSeqNo(log, copy, held, revivedTerm));
        }
      }
    }
    return others.stream().filter(copy -> isAsked(state, copy)).toList();
  }

  private boolean isAsked(ClusterState state, CopyRouting copy) {
    return !copy.searchOnly()
        && node(state, copy) != null
        && !nextSeqNos.containsKey(copy.copyId());
  }

  private static @Nullable NodeInfo node(ClusterState state, CopyRouting copy) {
    return state.nodes().get(String.valueOf(copy.nodeId()));
  }

  /** What a copy held before the shard was revived is given up. */
  private static long nextSeqNo(
      PartitionLog log, CopyRouting copy, FolderPosition held, long revivedTerm)
      throws LogException.Lost {
    if (!held.held() || held.fenceTerm() < revivedTerm) {
      return 0;
    }
    String lost = held.lost();
    if (lost != null) {
      throw new LogException.Lost(
          log,
          "copy %s on node %s holds what it lacks: %s"
              .formatted(copy.copyId(), copy.nodeId(), lost));
    }
    return held.nextSeqNo();
  }
}
