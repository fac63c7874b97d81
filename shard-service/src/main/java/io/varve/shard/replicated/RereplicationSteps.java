package io.varve.shard.replicated;

import io.varve.cluster.ClusterSettings;
import io.varve.engine.Matching;
import io.varve.engine.SearchableCopy;
import io.varve.host.CopyContext;
import io.varve.log.LogBeginning;
import io.varve.log.LogException;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.ProvenRecords;
import io.varve.rpc.RecordOperations;
import io.varve.rpc.RereplicationPage;
import io.varve.rpc.RereplicationPosition;
import io.varve.rpc.RereplicationWork;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The steps of re-replication jobs on one primary. Only one job at a time can use a shard: each
 * step claims the shard for its job, until the job ends or sends no step for {@link
 * ShardRereplication#CLAIM_MILLIS}.
 */
public final class RereplicationSteps {

  /** Records or files that an error names. */
  private static final int MOST_NAMED = 10;

  private final CopyContext context;
  private final long term;
  private final Records records;
  private final RecordWalk walk;
  private final ReplicationWatch watch;
  private final ShardRereplication shard;
  private final Rereplications node;

  /** The records of the primary, and their replication states. */
  record Records(
      SearchableCopy copy,
      RecordWalk walk,
      ReplicationWatch watch,
      CopyVerification verification) {}

  RereplicationSteps(CopyContext context, long term, Records records, Rereplications node) {
    this.context = context;
    this.term = term;
    this.records = records;
    this.walk = records.walk();
    this.watch = records.watch();
    this.shard = node.of(context.shard());
    this.node = node;
  }

  /** Writes items as a client's bulk does, and returns one result for each. */
  @FunctionalInterface
  public interface Bulk {
    List<WriteResult> write(List<WriteItem> items) throws InterruptedException;
  }

  /**
   * The work of a job in the shard.
   *
   * @param matching the job's query
   * @param bulk writes records
   */
  public record Job(String id, RereplicationWork work, Matching matching, Bulk bulk) {

    private RecordOperations operations() {
      return work.operations();
    }

    /**
     * Selects all records if the job writes them, otherwise those that are not known to be
     * replicated.
     */
    private RecordWalk.Selection selection() {
      return new RecordWalk.Selection(operations().writes(), matching);
    }
  }

  /**
   * Proves the next records, and writes them if the job is one that writes.
   *
   * @throws ApiException 409 if another job has the shard
   */
  public RereplicationPage walk(Job job, RereplicationPosition at) throws InterruptedException {
    claim(job.id());
    boolean isWritten = job.operations().writes() && isInTheLog(at);
    RereplicationPosition from = at.under(term, incarnation(), isWritten);
    RecordWalk.Window window = walk.next(from.nextSeqNo(), from.endSeqNo(), job.selection());
    long waitNanos = throttle(window.versions().size());
    RecordWalk.Peeked peeked = walk.peek(window);
    RecordWrites.End end =
        job.operations().writes()
            ? new RecordWrites(id -> records.copy().get(id, true), job.work(), peeked)
                .through(job.bulk())
            : RecordWrites.End.withoutWrites(peeked);
    ErrorBody failure = end.failure();
    RereplicationPosition next = position(end.nextSeqNo(), window.endSeqNo());
    return new RereplicationPage(
        next,
        next.nextSeqNo() >= next.endSeqNo() ? leftAtEnd(job) : -1,
        TimeUnit.NANOSECONDS.toMillis(waitNanos),
        end.outcomes(window, peeked),
        null,
        failure == null ? null : RereplicationPage.Failure.of(failure));
  }

  /** Whether the log certainly has what a job has written up to that position. */
  private boolean isInTheLog(RereplicationPosition at) {
    try {
      return at.saidBy(term, incarnation())
          || !LogBeginning.of(context.operations()).mayBeRevivedAfter(at.term());
    } catch (LogException e) {
      throw new ApiException(
          503,
          "log_unavailable_exception",
          "the start of the log of " + context.shard() + " can't be read: " + e.getMessage());
    }
  }

  /**
   * Proves these versions.
   *
   * @throws ApiException 409 if another job has the shard, 429 if there are too many queries
   */
  public ProvenRecords prove(String job, List<Version> versions) throws InterruptedException {
    claim(job);
    long waitNanos = throttle(versions.size());
    RecordWalk.Peeked peeked =
        walk.peek(new RecordWalk.Window(versions, Long.MAX_VALUE, Long.MAX_VALUE));
    if (peeked.nextSeqNo() != Long.MAX_VALUE) {
      throw new ApiException(
          429, "rejected_execution_exception", context.shard() + " has too many questions");
    }
    Set<Version> proven = Set.copyOf(peeked.proven());
    return new ProvenRecords(
        IntStream.range(0, versions.size())
            .filter(i -> proven.contains(versions.get(i)))
            .boxed()
            .toList(),
        peeked.proofs(),
        TimeUnit.NANOSECONDS.toMillis(waitNanos));
  }

  /**
   * Uses the copies' reports that they hold everything as the proof for all records; on request,
   * only after the copies were compared with the primary. Records in which a copy differs are not
   * replicated any more, and the log decides which copy is rebuilt.
   *
   * @throws ApiException 503 if the copies do not report in time
   */
  public RereplicationPage checkpoint(Job job, Duration timeout) throws InterruptedException {
    claim(job.id());
    long held =
        walk.awaitHeld(timeout)
            .orElseThrow(() ->
                unconfirmed(
                    "not all copies of " + context.shard() + " said in time how far they are"));
    if (!job.work().verify()) {
      walk.appeal();
      return page(0, watch.unreplicatedRecords());
    }
    CopyComparison.Result result = compared(held);
    if (!result.late().isEmpty()) {
      throw unconfirmed("copies " + result.late() + " of " + context.shard() + " are behind");
    }
    Map<Member, CopyComparison.Differences> differences = result.differences();
    if (differences.isEmpty() && !walk.compared(result.openings(), held)) {
      throw unconfirmed(
          "other copies of %s than the compared %s have started, or too few are in sync"
              .formatted(
                  context.shard(), result.openings().stream().map(Opening::member).toList()));
    }
    for (Map.Entry<Member, CopyComparison.Differences> found : differences.entrySet()) {
      records.verification().differs(found.getKey(), found.getValue());
    }
    long wrong = differences.values().stream().mapToLong(found -> found.names().size()).sum();
    return new RereplicationPage(
        position(0, 0),
        watch.unreplicatedRecords(),
        0,
        new RereplicationPage.Outcomes(
            result.asked(),
            new RereplicationPage.Proofs(0, wrong, 0, 0),
            RereplicationPage.Writes.NONE),
        result.compared(),
        differences.isEmpty() ? null : differing(differences));
  }

  private CopyComparison.Result compared(long upToSeqNo) throws InterruptedException {
    try {
      return records.verification().compare(upToSeqNo);
    } catch (IOException e) {
      throw unconfirmed(
          "the copies of " + context.shard() + " were not compared: " + e.getMessage());
    }
  }

  private static ApiException unconfirmed(String reason) {
    return new ApiException(503, ConfirmedReads.UNCONFIRMED_TYPE, reason);
  }

  private RereplicationPage.Failure differing(Map<Member, CopyComparison.Differences> found) {
    String copies =
        found.entrySet().stream()
            .map(copy -> named(copy.getKey(), copy.getValue().names()))
            .sorted()
            .collect(Collectors.joining("; "));
    return new RereplicationPage.Failure(
        500,
        "copies_differ_exception",
        "copies of " + context.shard() + " differ from the primary: " + copies);
  }

  private static String named(Member copy, List<String> names) {
    return copy.copyId() + " in " + names.size() + ": " + names.stream().limit(MOST_NAMED).toList();
  }

  /** Claims the shard for a job that is about to begin, and counts its records. */
  public RereplicationPage begin(Job job) {
    claim(job.id());
    return page(-1, left(job));
  }

  /** Keeps the claim of a job that has no work in the shard at present. */
  public RereplicationPage keep(String job) {
    claim(job);
    return page(-1, -1);
  }

  public RereplicationPage end(String job) {
    shard.release(job);
    return page(-1, -1);
  }

  private RereplicationPage page(long endSeqNo, long left) {
    return new RereplicationPage(
        position(0, endSeqNo), left, 0, RereplicationPage.Outcomes.NONE, null, null);
  }

  private RereplicationPosition position(long nextSeqNo, long endSeqNo) {
    return new RereplicationPosition(term, incarnation(), nextSeqNo, endSeqNo);
  }

  private long left(Job job) {
    RecordWalk.Selection selection = job.selection();
    return selection.replicated() || job.work().query() != null
        ? walk.count(selection)
        : watch.unreplicatedRecords();
  }

  private long leftAtEnd(Job job) {
    return job.operations().writes() ? 0 : left(job);
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

  private String incarnation() {
    return context.node().identity().incarnation();
  }
}
