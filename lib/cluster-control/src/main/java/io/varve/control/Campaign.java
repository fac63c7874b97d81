package io.varve.control;

import io.varve.cluster.ClusterFold;
import io.varve.cluster.ClusterView;
import io.varve.log.FencedWriter;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A coordinator's attempts to become the leader. It appends the fence of the next term to the
 * cluster log, reads the log up to that fence, and leads if the fence was accepted.
 *
 * <pre>
 *   due      LeaderElection requires it, no attempt is running, and the pause is over
 *   pause    after n attempts whose fence won but that failed to lead: min(1 min, tick * 2^n)
 * </pre>
 *
 * The pause gives another coordinator, which may be able to read the log, time to become the
 * leader. INVARIANT: a process campaigns at most once for a term. The leader's thread alone uses
 * this class.
 */
final class Campaign {

  private static final Logger LOG = LoggerFactory.getLogger(Campaign.class);
  private static final long LONGEST_PAUSE_MILLIS = 60_000;

  /** Receives the outcome of a campaign, on the leader's thread. */
  interface Listener {

    /** This coordinator's fence won the term. */
    void won(LeaderTerm term, Set<String> deletedIndices);

    /** The writer of a term closed without a call of {@code close}. */
    void closed(FencedWriter writer, String reason);
  }

  private final String nodeId;
  private final LeaderElection election;
  private final PartitionLog log;
  private final ClusterView view;
  private final NodeSigns nodes;
  private final LeaderLoop loop;
  private boolean running;
  private long triedTerm;
  private long seenTerm;
  private long seenTermSinceMillis;
  private int failedAttempts;
  private long notBeforeMillis;

  Campaign(
      String nodeId,
      LeaderElection election,
      PartitionLog log,
      ClusterView view,
      NodeSigns nodes,
      LeaderLoop loop) {
    this.nodeId = nodeId;
    this.election = election;
    this.log = log;
    this.view = view;
    this.nodes = nodes;
    this.loop = loop;
  }

  /** A term was read from the log; the timeout of its leader begins now. */
  void seen(long term) {
    if (term > seenTerm) {
      seenTerm = term;
      seenTermSinceMillis = loop.nowMillis();
    }
  }

  void beginIfDue(Listener listener) {
    if (!running
        && loop.nowMillis() >= notBeforeMillis
        && election.shouldCampaign(view.current(), leaderSilentMillis())) {
      begin(listener);
    }
  }

  private long leaderSilentMillis() {
    long term = view.current().leaderTerm();
    seen(term);
    return nodes.leaderSilentMillis(term, seenTermSinceMillis);
  }

  private void begin(Listener listener) {
    long term = Math.max(view.current().leaderTerm(), triedTerm) + 1;
    triedTerm = term;
    running = true;
    LOG.info("trying to lead in term {}", term);
    List<FencedWriter> own = new ArrayList<>();
    FencedWriter writer =
        new FencedWriter(
            log,
            term,
            nodeId,
            loop.blocking(),
            (reason, newerTerm) -> loop.execute(() -> listener.closed(own.getFirst(), reason)));
    own.add(writer);
    try {
      writer.appendFence(outcome -> loop.execute(() -> fenced(writer, outcome, listener)));
    } catch (LogException.Full | RuntimeException e) {
      lose("the log does not accept a fence now: " + e.getMessage());
    }
  }

  private void fenced(FencedWriter writer, FencedWriter.Outcome outcome, Listener listener) {
    switch (outcome) {
      case FencedWriter.Outcome.Unknown(var reason) -> lose(reason);
      case FencedWriter.Outcome.Rejected(var reason) -> lose(reason);
      case FencedWriter.Outcome.Accepted accepted -> {
        try {
          open(writer, accepted.offset(), listener);
        } catch (LogException | RuntimeException | Error e) {
          writer.close("the cluster log can't be read");
          pause();
          lose("the cluster log can't be read: " + e.getMessage());
        }
      }
    }
  }

  private void open(FencedWriter writer, long fenceOffset, Listener listener) throws LogException {
    ClusterFold fold = new ClusterFold();
    List<TermFence.Verdict> verdicts = new ArrayList<>(List.of(TermFence.Verdict.FENCE_LOST));
    log.read(log.startOffset(), fenceOffset + 1, stored -> verdicts.set(0, fold.add(stored)));
    if (!writer.open(fold.fence(), verdicts.getFirst())) {
      lose(writer.closedReason());
      return;
    }
    LOG.info("leading in term {}", writer.term());
    running = false;
    failedAttempts = 0;
    listener.won(new LeaderTerm(writer, fold), fold.deletedIndices());
  }

  private void pause() {
    failedAttempts++;
    long pauseMillis = ClusterLeader.TICK_MILLIS << Math.min(failedAttempts, 10);
    notBeforeMillis = loop.nowMillis() + Math.min(pauseMillis, LONGEST_PAUSE_MILLIS);
  }

  private void lose(String reason) {
    running = false;
    LOG.info("not leading: {}", reason);
  }
}
