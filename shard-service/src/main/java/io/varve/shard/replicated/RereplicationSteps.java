package io.varve.shard.replicated;

import io.varve.cluster.ClusterSettings;
import io.varve.host.CopyContext;
import io.varve.rpc.ApiException;
import io.varve.rpc.RereplicationPage;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The steps of re-replication jobs on one primary. A job has one shard for itself: each step claims
 * it for the job, until the job ends or is silent for {@link ShardRereplication#CLAIM_MILLIS}.
 */
public final class RereplicationSteps {

  private final CopyContext context;
  private final long term;
  private final RecordWalk walk;
  private final ReplicationWatch watch;
  private final ShardRereplication shard;
  private final Rereplications node;

  public RereplicationSteps(
      CopyContext context,
      long term,
      RecordWalk walk,
      ReplicationWatch watch,
      Rereplications node) {
    this.context = context;
    this.term = term;
    this.walk = walk;
    this.watch = watch;
    this.shard = node.of(context.shard());
    this.node = node;
  }

  /**
   * Where a job is in the shard, as the primary of a term in a run of its process said.
   *
   * @param endSeqNo negative if the job begins
   */
  public record Position(long term, String incarnation, long nextSeqNo, long endSeqNo) {}

  /**
   * Asks the copies for the next records. Under another primary than that of the position, what the
   * former one knew is gone, so the walk begins again.
   *
   * @throws ApiException 409 if another job has the shard
   */
  public RereplicationPage peek(String job, Position at) throws InterruptedException {
    claim(job);
    boolean known = at.term() == term && at.incarnation().equals(incarnation());
    RecordWalk.Window window = known ? walk.next(at.nextSeqNo(), at.endSeqNo()) : walk.next(0, -1);
    long waitNanos = throttle(window.versions().size());
    RecordWalk.Peeked peeked = walk.peek(window);
    return page(
        peeked.nextSeqNo(),
        window.endSeqNo(),
        TimeUnit.NANOSECONDS.toMillis(waitNanos),
        peeked.outcomes());
  }

  /** See {@link RecordWalk#appeal}. */
  public RereplicationPage checkpoint(String job, Duration timeout) throws InterruptedException {
    claim(job);
    if (!walk.appeal(timeout)) {
      throw new ApiException(
          503,
          ConfirmedReads.UNCONFIRMED_TYPE,
          "not all copies of " + context.shard() + " said in time how far they are");
    }
    return page(0, 0, 0, RereplicationPage.Outcomes.NONE);
  }

  /** Claims the shard for a job that is about to begin. */
  public RereplicationPage begin(String job) {
    claim(job);
    return page(0, -1, 0, RereplicationPage.Outcomes.NONE);
  }

  public RereplicationPage end(String job) {
    shard.release(job);
    return page(0, -1, 0, RereplicationPage.Outcomes.NONE);
  }

  private void claim(String job) {
    if (!shard.claim(job, context.node().clock().millis())) {
      throw new ApiException(
          409,
          "resource_already_exists_exception",
          "another re-replication job runs on " + context.shard());
    }
  }

  /** Waits until the limit of the node allows that many records. */
  private long throttle(int records) throws InterruptedException {
    long perSecond =
        (long)
            ClusterSettings.number(
                context.node().cluster().current(), ClusterSettings.REREPLICATE_RATE);
    return node.throttle(records, perSecond);
  }

  private RereplicationPage page(
      long nextSeqNo, long endSeqNo, long throttledMillis, RereplicationPage.Outcomes outcomes) {
    // Counting reads all seq_nos of the shard.
    long left = nextSeqNo >= endSeqNo ? watch.unreplicatedRecords() : -1;
    return new RereplicationPage(
        term, incarnation(), nextSeqNo, endSeqNo, left, throttledMillis, outcomes);
  }

  private String incarnation() {
    return context.node().identity().incarnation();
  }
}
