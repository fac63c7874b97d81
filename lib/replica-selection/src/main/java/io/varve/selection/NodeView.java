package io.varve.selection;

import io.varve.selection.ExecutorReport.Slowness;
import io.varve.selection.NodeStatistics.Counts;

/**
 * A coordinator's view of one node. Written on each send and answer, read by each ranking; each
 * method holds the node's lock for a few instructions.
 *
 * <p>INVARIANT: {@code outstanding} is the number of attempts sent and not ended; rankings and
 * probes never change it.
 */
final class NodeView {

  private static final long PROBE_NANOS = 100_000_000;
  private static final long PROBE_SOON_NANOS = 25_000_000;

  private final String node;
  private final PublishedStats published = new PublishedStats();
  private final PeakLatency peak = new PeakLatency();
  private final FailureBackOff backOff = new FailureBackOff();

  private long outstanding;
  private ExecutorReport report = ExecutorReport.NONE;
  private long ofOthers;
  private boolean heard;
  private long heardNanos;
  private int sentSinceHeard;
  private long sampleNanos;
  private boolean probing;
  private long probeNanos;

  private final RequestCounters own = new RequestCounters();
  private final RequestCounters all;

  /**
   * @param all counters over all nodes, including nodes that left
   */
  NodeView(String node, RequestCounters all) {
    this.node = node;
    this.all = all;
  }

  String node() {
    return node;
  }

  /** The adaptive strategy's view of a node at one moment. */
  record Seen(
      long outstanding,
      long inFlight,
      int workers,
      double slowness,
      int trust,
      long sampleAgeNanos,
      long silentNanos,
      boolean heard,
      FailureBackOff.State backOff,
      long backOffNanos) {}

  synchronized void sent(Purpose purpose) {
    outstanding++;
    sentSinceHeard++;
    own.sent(purpose);
    all.sent(purpose);
  }

  /**
   * Records an answer.
   *
   * @param worked whether a worker executed the request: other requests are answered immediately by
   *     any node
   */
  synchronized void answered(long sentNanos, Moment moment, ExecutorReport said, boolean worked) {
    long nowNanos = moment.nowNanos();
    outstanding--;
    stoodStill(moment);
    long response = nowNanos - sentNanos;
    if (worked && said.ranksByFormula()) {
      published.add(said.queueSize(), (double) response, (double) said.serviceTimeEwmaNanos());
    }
    if (worked || said.equals(ExecutorReport.NONE)) {
      peak.add(response, nowNanos);
    }
    backOff.succeeded(sentNanos, nowNanos);
    reported(said, nowNanos);
  }

  synchronized void failed(Failure failure, long sentNanos, long nowNanos) {
    outstanding--;
    switch (failure) {
      case ERROR, TIMED_OUT, UNREACHABLE -> {
        countFailure();
        backOff.failed(sentNanos, nowNanos);
      }
      case REJECTED -> {
        countFailure();
        backOff.refused(sentNanos, nowNanos);
      }
      case LOST -> {
        own.lost();
        all.lost();
      }
      case BAD_REQUEST, ABANDONED -> {}
    }
  }

  synchronized void probed(long nowNanos) {
    probing = true;
    probeNanos = nowNanos;
    own.probed();
    all.probed();
  }

  /**
   * @return whether this node's answers are meaningful for the probe timeout
   */
  synchronized boolean probeAnswered(ExecutorReport said, Moment moment) {
    stoodStill(moment);
    boolean sound = !backOff.remembers(moment.nowNanos());
    probing = false;
    reported(said, moment.nowNanos());
    return sound;
  }

  /**
   * The first answer after a long silence shows that the node was paused, and it may pause again
   * soon.
   */
  private void stoodStill(Moment moment) {
    if (silentNanos(moment) > moment.probeTimeoutNanos()) {
      backOff.failed(probeNanos, moment.nowNanos());
    }
  }

  synchronized void probeFailed(long sentNanos, long nowNanos) {
    probing = false;
    countFailure();
    backOff.failed(sentNanos, nowNanos);
  }

  private void countFailure() {
    own.failed();
    all.failed();
  }

  /** True after some time without a message, or less time if requests were sent to it. */
  synchronized boolean dueForProbe(long nowNanos) {
    long unheard = heard ? nowNanos - heardNanos : Long.MAX_VALUE;
    boolean poured = sentSinceHeard >= 2 && unheard >= PROBE_SOON_NANOS;
    return !probing && (poured || unheard >= PROBE_NANOS);
  }

  /** An answer without a report keeps the previous report. */
  private void reported(ExecutorReport said, long nowNanos) {
    heard = true;
    heardNanos = nowNanos;
    sentSinceHeard = 0;
    if (said.equals(ExecutorReport.NONE)) {
      return;
    }
    report = said;
    ofOthers = Math.max(0, said.inFlight() - outstanding);
    if (said.slowness().known()) {
      sampleNanos = nowNanos - said.slowness().ageNanos();
    }
  }

  synchronized Seen seen(Moment moment) {
    long nowNanos = moment.nowNanos();
    Slowness slowness = report.slowness();
    return new Seen(
        outstanding,
        outstanding + ofOthers,
        report.workers(),
        slowness.factor(),
        slowness.trust(),
        slowness.known() ? nowNanos - sampleNanos : Long.MAX_VALUE,
        silentNanos(moment),
        heard,
        backOff.state(nowNanos),
        backOff.remainingNanos(nowNanos));
  }

  /**
   * The time beyond the timeout for which a probe is unanswered, with no other message from the
   * node.
   */
  private long silentNanos(Moment moment) {
    if (!probing) {
      return 0;
    }
    long since = heard && heardNanos - probeNanos > 0 ? heardNanos : probeNanos;
    return Math.max(0, moment.witnessedNanos() - since - moment.probeTimeoutNanos());
  }

  synchronized long outstanding() {
    return outstanding;
  }

  synchronized boolean ranksByFormula() {
    return published.known();
  }

  synchronized PublishedStats.Seen published() {
    return published.seen();
  }

  synchronized void adjust(PublishedStats.Seen winner, PublishedStats.Seen loser, Formula formula) {
    published.adjust(winner, loser, formula);
  }

  synchronized double peakCost(long planned, long nowNanos) {
    return peak.cost(outstanding + planned, nowNanos);
  }

  Counts counts() {
    return own.read();
  }
}
