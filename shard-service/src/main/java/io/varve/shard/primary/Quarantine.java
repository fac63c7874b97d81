package io.varve.shard.primary;

import io.varve.cluster.FormerLog;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.log.LogException;
import io.varve.log.LogOperations;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.rpc.ForkPlace;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Copies the operations that a former leader's shard accepted after its fork to a partition of the
 * quarantine topic, unchanged: key, value and header. They are never applied.
 *
 * <p>The shard's log must be fenced, so that no operation is accepted later. A repeated run copies
 * only the operations that are not in the topic. An earlier run may have left gaps: an append that
 * failed does not prevent later ones.
 */
public final class Quarantine {

  private static final int MAX_IN_FLIGHT = 500;
  private static final long APPEND_SECONDS = 30;

  private final PartitionLog former;
  private final PartitionLog quarantine;
  private final Deque<CompletableFuture<Void>> inFlight = new ArrayDeque<>();

  public Quarantine(PartitionLog former, PartitionLog quarantine) {
    this.former = former;
    this.quarantine = quarantine;
  }

  /**
   * The fence after which the former log accepts no operation.
   *
   * @param term the fence's, which must be in force at its offset
   */
  public record Fenced(long offset, long term) {}

  /**
   * Returns when the operations between the fork and the fence are stored.
   *
   * @param hasFork whether the record of the fork is in the log; otherwise the log is read from its
   *     start
   * @return the number of operations that were copied now
   * @throws IOException if the log lacks operations after the fork, or the fence is not in force
   */
  public long fill(ForkPlace fork, Fenced fenced, boolean hasFork)
      throws IOException, LogException, InterruptedException {
    Set<Long> held = held();
    long denseSeqNo = fork.seqNo();
    while (held.contains(denseSeqNo + 1)) {
      denseSeqNo++;
    }
    Optional<String> lost = FormerLog.lostAfterFork(former, fork, denseSeqNo);
    if (lost.isPresent()) {
      throw new IOException(lost.get());
    }
    TermFence fence =
        hasFork && fork.leaderOffset() >= 0
            ? new TermFence(fork.leaderTerm(), fork.seqNo() + 1)
            : first();
    long from = hasFork ? fork.leaderOffset() + 1 : former.startOffset();
    long[] copied = {0};
    try {
      former.read(
          from,
          fenced.offset() + 1,
          stored -> copied[0] += copy(stored, fence, fork, held) ? 1 : 0);
    } catch (FailedCopyException e) {
      throw new IOException(e.getMessage(), e);
    }
    while (!inFlight.isEmpty()) {
      awaitOldest();
    }
    if (fence.term() != fenced.term()) {
      throw new IOException(
          "term "
              + fence.term()
              + " is in force in the former log, not "
              + fenced.term()
              + ": it may still accept operations");
    }
    return copied[0];
  }

  private boolean copy(StoredRecord stored, TermFence fence, ForkPlace fork, Set<Long> held) {
    if (fence.isBeforeFenceOf(stored.record())) {
      throw new FailedCopyException(
          "the former log lacks the fence of the term of its record at offset " + stored.offset());
    }
    if (!fence.judge(former, stored).accepted()) {
      return false;
    }
    long seqNo = RecordHeader.read(stored.record().header()).seqNo();
    boolean copies = seqNo > fork.seqNo() && !held.contains(seqNo);
    if (copies) {
      append(stored);
    }
    return copies;
  }

  /** The state before a log's first operation, which need not be the shard's first one. */
  private TermFence first() throws LogException {
    return LogOperations.first(former)
        .map(header -> new TermFence(header.term(), header.seqNo()))
        .orElseGet(TermFence::new);
  }

  private Set<Long> held() throws LogException {
    Set<Long> seqNos = new HashSet<>();
    quarantine.read(
        quarantine.startOffset(),
        quarantine.endOffset(),
        stored -> seqNos.add(RecordHeader.read(stored.record().header()).seqNo()));
    return seqNos;
  }

  /** Ends the read of the former log. */
  private static final class FailedCopyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FailedCopyException(String message) {
      super(message);
    }
  }

  private void append(StoredRecord stored) {
    if (inFlight.size() == MAX_IN_FLIGHT) {
      awaitInRead();
    }
    CompletableFuture<Void> stores = new CompletableFuture<>();
    while (!accepted(stored, stores)) {
      if (inFlight.isEmpty()) {
        throw new FailedCopyException("the log accepts no appends now");
      }
      awaitInRead();
    }
    inFlight.add(stores);
  }

  private boolean accepted(StoredRecord stored, CompletableFuture<Void> stores) {
    try {
      quarantine.append(
          stored.record(),
          new PartitionLog.AppendCallback() {
            @Override
            public void appended(long offset, long timestampMillis) {
              stores.complete(null);
            }

            @Override
            public void unknown(String reason) {
              stores.completeExceptionally(new LogException.Unavailable(reason));
            }
          });
      return true;
    } catch (LogException.Full e) {
      return false;
    }
  }

  private void awaitInRead() {
    try {
      awaitOldest();
    } catch (LogException e) {
      throw new FailedCopyException(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedCopyException("interrupted");
    }
  }

  private void awaitOldest() throws LogException, InterruptedException {
    try {
      inFlight.remove().get(APPEND_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new LogException.Unavailable(
          "an operation after the fork was not stored: " + e.getCause().getMessage());
    } catch (TimeoutException e) {
      throw new LogException.Unavailable("no answer within " + APPEND_SECONDS + " s");
    }
  }
}
