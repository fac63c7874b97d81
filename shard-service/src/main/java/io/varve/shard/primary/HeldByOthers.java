package io.varve.shard.primary;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.host.CopyContext;
import io.varve.log.LogBeginning;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.process.Sleeper;
import io.varve.rpc.FolderPosition;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies that the log holds everything that the other copies of a strongly consistent shard hold.
 * A get may have returned an operation that is in no manifest yet. If the log loses it while the
 * process of the primary restarts from an older commit, only the other copies show that it existed.
 * {@link HeldAnswers} has the rules.
 */
final class HeldByOthers {

  private static final Logger LOG = LoggerFactory.getLogger(HeldByOthers.class);
  private static final long PAUSE_NANOS = Duration.ofMillis(200).toNanos();

  private final CopyContext context;
  private final OtherFolders folders;
  private final Sleeper sleeper;

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
    HeldAnswers answers =
        new HeldAnswers(context.shard(), context.copyId(), LogBeginning.of(log).revivedTerm());
    boolean logged = false;
    while (true) {
      List<CopyRouting> left = ask(log, answers);
      if (left.isEmpty()) {
        return answers.nextSeqNo();
      }
      if (!logged) {
        logged = true;
        LOG.warn(
            "{} waits until these copies report which operations they hold: {}",
            context.shard(),
            left);
      }
      sleeper.sleep(PAUSE_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /** Asks the copies that have not answered, and returns those that did not do so this time. */
  private List<CopyRouting> ask(PartitionLog log, HeldAnswers answers)
      throws LogException, InterruptedException {
    ClusterState state = context.node().cluster().current();
    for (CopyRouting copy : answers.unanswered(state)) {
      FolderPosition held = folders.position(state.nodes().get(String.valueOf(copy.nodeId())));
      if (held != null
          && answers.answered(copy, held) instanceof HeldAnswers.Outcome.LostByLog(var reason)) {
        throw new LogException.Lost(log, reason);
      }
    }
    return answers.unanswered(state);
  }
}
