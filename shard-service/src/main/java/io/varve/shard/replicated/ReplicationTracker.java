package io.varve.shard.replicated;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.events.ShardId;
import io.varve.host.CopyContext;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.HoldsWire.Version;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps {@link ReplicatedRecords} current: passes to it the members that the cluster state names,
 * and queries these members.
 *
 * <ul>
 *   <li>Progress: one query at a time for each member, which answers when it holds everything that
 *       the primary had applied; sent at the start, and while the primary applies more.
 *   <li>Single records: queries in batches, at most {@link #PARALLEL} at a time for each member.
 * </ul>
 *
 * Nothing blocks here; a member that does not answer is asked again after a pause.
 */
public final class ReplicationTracker implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ReplicationTracker.class);
  private static final int PARALLEL = 4;
  private static final int BATCH = 1_000;

  /** How long a member waits for a record before it answers that it lags. */
  private static final long RECORD_WAIT_MILLIS = 1_000;

  /**
   * How long a member waits for more operations before it answers with its position. If there is no
   * answer, the records that the primary wrote count as unreplicated.
   */
  private static final long PROGRESS_WAIT_MILLIS = 10_000;

  /** The pause between two queries for a member's progress, so that they cost little under load. */
  private static final long PROGRESS_PAUSE_MILLIS = 20;

  private static final long RETRY_MILLIS = 100;

  /** The queries to one opening of a member that are not answered yet. */
  private static final class Asked {
    final AtomicInteger batches = new AtomicInteger();
    final AtomicBoolean progress = new AtomicBoolean();
    final AtomicBoolean awaiting = new AtomicBoolean();
  }

  private final TrackerContext node;
  private final ShardId shard;
  private final String copyId;
  private final long term;
  private final ReplicatedRecords records;
  private final OffsetWatcher applied;
  private final Map<Opening, Asked> asked = new ConcurrentHashMap<>();
  private final AtomicBoolean expiring = new AtomicBoolean();
  private @Nullable AutoCloseable registration;
  private volatile boolean closed;

  /**
   * @param base the first seq_no that the primary of {@code term} assigns
   * @param applied the seq_no up to which it has applied everything
   */
  public ReplicationTracker(CopyContext context, long term, long base, OffsetWatcher applied) {
    this(new CopyQuestions(context), context.shard(), context.copyId(), term, base, applied);
  }

  /** The same for a copy of a shard on any kind of node. */
  public ReplicationTracker(
      TrackerContext node,
      ShardId shard,
      String copyId,
      long term,
      long base,
      OffsetWatcher applied) {
    this.node = node;
    this.shard = shard;
    this.copyId = copyId;
    this.term = term;
    this.applied = applied;
    this.records = new ReplicatedRecords(term, base, limits(node.state()));
  }

  TrackerContext node() {
    return node;
  }

  long nowMillis() {
    return node.nowMillis();
  }

  public ReplicatedRecords records() {
    return records;
  }

  public void start() {
    registration = node.listen(this::follow);
    follow();
  }

  private RecordLimits limits(ClusterState state) {
    Map<String, String> settings =
        state.index(shard.indexUuid()).map(IndexMetadata::settings).orElse(Map.of());
    return new RecordLimits(
        IndexSettings.minInSync(settings),
        IndexSettings.appealsByWatermark(settings),
        (int) ClusterSettings.number(state, ClusterSettings.CONFIRM_WAITERS),
        (int) ClusterSettings.number(state, ClusterSettings.CONFIRM_RECORDS),
        ClusterSettings.millis(state, ClusterSettings.CONFIRM_TIMEOUT));
  }

  private synchronized void follow() {
    ClusterState state = node.state();
    if (closed || state.shard(shard).isEmpty()) {
      return;
    }
    records.limits(limits(state));
    records.members(members(state));
    asked.keySet().retainAll(records.openings());
    askAll();
  }

  private Members members(ClusterState state) {
    return Members.of(state, shard, copyId, term);
  }

  /**
   * Admits a copy that the cluster state assigns; empty for any other. A copy asks for this after
   * each time that it is opened, before it answers reads.
   */
  public synchronized Optional<Long> admit(Member copy) {
    if (!members(node.state()).assigned().contains(copy)) {
      return Optional.empty();
    }
    long seqNo = records.admit(copy);
    asked.keySet().retainAll(records.openings());
    askAll();
    return Optional.of(seqNo);
  }

  /** Sends the open queries to each member. */
  public void askAll() {
    if (records.asking() > 0) {
      expireLater();
    }
    records.applied(applied.current());
    for (Opening opening : records.openings()) {
      Asked now = asked.computeIfAbsent(opening, _ -> new Asked());
      askForRecords(opening, now);
      askForProgress(opening, now);
    }
  }

  /** A failed query counts as in flight until it is repeated, so that failures can't multiply. */
  private void askForRecords(Opening opening, Asked now) {
    while (!closed && now.batches.incrementAndGet() <= PARALLEL) {
      List<Version> versions = records.toAsk(opening, BATCH);
      if (versions.isEmpty()) {
        break;
      }
      long seqNo = versions.stream().mapToLong(Version::seqNo).max().orElseThrow();
      var _ =
          node.ask(opening.member(), new HoldsWire.Question(seqNo, RECORD_WAIT_MILLIS, versions))
              .whenComplete((answer, failure) -> {
                if (failure == null && records.answered(opening, versions, answer)) {
                  nextBatch(opening, now);
                } else {
                  records.unanswered(opening, versions);
                  endIfUnable(opening, failure);
                  later(RETRY_MILLIS, () -> nextBatch(opening, now));
                }
              });
    }
    now.batches.decrementAndGet();
  }

  /** Does not wait for the timeout of a copy, because this copy's process can never answer. */
  private void endIfUnable(Opening opening, @Nullable Throwable failure) {
    if (failure != null && cause(failure) instanceof NoSuchEndpointException) {
      LOG.warn("{} {}", shard, cause(failure).getMessage());
      records.unable(opening);
    }
  }

  private void nextBatch(Opening opening, Asked now) {
    now.batches.decrementAndGet();
    askForRecords(opening, now);
  }

  private void askForProgress(Opening opening, Asked now) {
    if (closed || !records.openings().contains(opening)) {
      return;
    }
    long target = applied.current();
    if (records.heldUpTo(opening) >= target) {
      awaitMore(opening, now, target);
    } else if (now.progress.compareAndSet(false, true)) {
      var _ =
          node.ask(
                  opening.member(), new HoldsWire.Question(target, PROGRESS_WAIT_MILLIS, List.of()))
              .whenComplete((answer, failure) -> {
                if (failure == null) {
                  records.answered(opening, List.of(), answer);
                } else {
                  LOG.debug("{} {} did not answer", shard, opening.member(), failure);
                  if (isUnreachable(failure)) {
                    records.lateUpTo(target);
                  }
                }
                now.progress.set(false);
                if (records.heldUpTo(opening) >= target) {
                  awaitMore(opening, now, target);
                } else {
                  askLater(opening, now, RETRY_MILLIS);
                }
              });
    }
  }

  /** Asks again once the primary has applied more than {@code target}; one wait per member. */
  private void awaitMore(Opening opening, Asked now, long target) {
    if (!now.awaiting.compareAndSet(false, true)) {
      return;
    }
    var _ =
        applied
            .reached(target + 1)
            .thenAccept(more -> {
              now.awaiting.set(false);
              if (more) {
                askLater(opening, now, PROGRESS_PAUSE_MILLIS);
              }
            });
  }

  private void askLater(Opening opening, Asked now, long pauseMillis) {
    later(
        pauseMillis,
        () -> {
          records.applied(applied.current());
          askForProgress(opening, now);
        });
  }

  /** Whether no answer is possible; a member that is still opening only lags. */
  private static boolean isUnreachable(Throwable failure) {
    Throwable cause = cause(failure);
    return cause instanceof HttpTimeoutException
        || cause instanceof ConnectException
        || cause instanceof NoSuchEndpointException;
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private void expireLater() {
    if (expiring.compareAndSet(false, true)) {
      later(
          RETRY_MILLIS,
          () -> {
            expiring.set(false);
            records.expire(nowMillis());
            if (records.asking() > 0) {
              askAll();
            }
          });
    }
  }

  private void later(long millis, Runnable task) {
    if (!closed) {
      node.after(millis, task);
    }
  }

  @Override
  public void close() {
    closed = true;
    AutoCloseable listening = registration;
    try {
      if (listening != null) {
        listening.close();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      records.close();
    }
  }
}
