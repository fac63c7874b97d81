package io.varve.log;

import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes a fenced partition in one term, and knows of each record whether it was accepted without
 * reading it back.
 *
 * <p>States, in this order only: {@code NEW -> FENCING -> REPLAYING -> OPEN -> CLOSED}, and from
 * each straight to CLOSED.
 *
 * <ul>
 *   <li>FENCING: the fence of this term is under way; {@link #appendFence} tells its offset.
 *   <li>REPLAYING: the owner reads the partition up to the fence and learns whether it won ({@link
 *       #open}).
 *   <li>OPEN: as long as the offsets of the appended records are consecutive nobody else wrote, so
 *       each is accepted as soon as its offset is known. An offset that is not the next one means
 *       foreign records in between: they are read. A higher fence among them ends this writer;
 *       anything else was rejected by all readers, and writing goes on.
 *   <li>CLOSED: by a higher fence, by an append whose fate is unknown, or by the owner. What was in
 *       flight is <em>unknown</em>. The only way on is a new writer with a higher term.
 * </ul>
 *
 * INVARIANT: callbacks run once each, in the order of the appends, never under the lock. After the
 * first that is not accepted, none is accepted.
 */
public final class FencedWriter {

  /** What became of an append. */
  public sealed interface Outcome {

    /** All copies will apply it. */
    record Accepted(long offset, long timestampMillis) implements Outcome {}

    /** Whether it is in the log, accepted, can only be told by reading. */
    record Unknown(String reason) implements Outcome {}
  }

  /** Learns of an append's outcome. */
  @FunctionalInterface
  public interface Completion {
    void completed(Outcome outcome);
  }

  /**
   * Told once, when the writer closes by itself. {@code newerTerm} is 0 if no higher fence was
   * seen.
   */
  @FunctionalInterface
  public interface ClosedListener {
    void closed(String reason, long newerTerm);
  }

  private enum State {
    NEW,
    FENCING,
    REPLAYING,
    OPEN,
    CLOSED
  }

  private static final class InFlight {
    final Completion completion;
    boolean done;
    long offset;
    long timestampMillis;
    @Nullable String failure;

    InFlight(Completion completion) {
      this.completion = completion;
    }
  }

  private final PartitionLog log;
  private final long term;
  private final String nodeId;
  private final Executor gapReader;
  private final ClosedListener onClosed;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<InFlight> inFlight = new ArrayDeque<>();
  private State state = State.NEW;
  private boolean draining;
  private long expectedOffset;
  private String closedReason = "not open yet";

  /** {@code gapReader} runs the reads of foreign records, which block. */
  public FencedWriter(
      PartitionLog log, long term, String nodeId, Executor gapReader, ClosedListener onClosed) {
    if (term < 1) {
      throw new IllegalArgumentException("term must be >= 1, was " + term);
    }
    this.log = log;
    this.term = term;
    this.nodeId = nodeId;
    this.gapReader = gapReader;
    this.onClosed = onClosed;
  }

  public long term() {
    return term;
  }

  /**
   * Appends the fence of this term. {@code Accepted} tells only where it stands, not yet that it
   * won.
   */
  public void appendFence(Completion completion) throws LogException.Full {
    lock.lock();
    try {
      require(State.NEW);
      state = State.FENCING;
      log.append(
          RecordHeader.fence(term, nodeId),
          new PartitionLog.AppendCallback() {
            @Override
            public void appended(long offset, long timestampMillis) {
              fenceAppended(offset);
              completion.completed(new Outcome.Accepted(offset, timestampMillis));
            }

            @Override
            public void unknown(String reason) {
              close(reason);
              completion.completed(new Outcome.Unknown(reason));
            }
          });
    } finally {
      lock.unlock();
    }
  }

  private void fenceAppended(long offset) {
    lock.lock();
    try {
      if (state == State.FENCING) {
        state = State.REPLAYING;
        expectedOffset = offset + 1;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Opens the gate, when the owner has read the partition up to and including the fence.
   *
   * @param fence the state right behind the fence
   * @return false if this term's fence lost or the writer was closed meanwhile
   */
  public boolean open(TermFence fence, TermFence.Verdict ownFence) {
    lock.lock();
    try {
      if (state != State.REPLAYING) {
        return false;
      }
      if (ownFence != TermFence.Verdict.FENCE_WON || fence.term() != term) {
        state = State.CLOSED;
        closedReason = "the fence of term " + term + " lost against term " + fence.term();
        return false;
      }
      state = State.OPEN;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Appends a record of this term. The caller numbers records densely and calls in the order of the
   * numbers.
   *
   * @return false if the gate is closed: the record is not in the log and never will be, and the
   *     completion will not run
   * @throws LogException.Full likewise; the number may be given to another record
   */
  public boolean append(RawRecord record, Completion completion) throws LogException.Full {
    lock.lock();
    try {
      if (state != State.OPEN) {
        return false;
      }
      InFlight entry = new InFlight(completion);
      inFlight.addLast(entry);
      try {
        log.append(record, callbackFor(entry));
      } catch (LogException.Full e) {
        inFlight.removeLast();
        throw e;
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private PartitionLog.AppendCallback callbackFor(InFlight entry) {
    return new PartitionLog.AppendCallback() {
      @Override
      public void appended(long offset, long timestampMillis) {
        lock.lock();
        try {
          entry.done = true;
          entry.offset = offset;
          entry.timestampMillis = timestampMillis;
        } finally {
          lock.unlock();
        }
        drain();
      }

      @Override
      public void unknown(String reason) {
        lock.lock();
        try {
          entry.done = true;
          entry.failure = reason;
        } finally {
          lock.unlock();
        }
        drain();
      }
    };
  }

  /**
   * Completes what can be completed, in order. One thread at a time drains; a gap hands the work to
   * the gap reader.
   */
  private void drain() {
    lock.lock();
    try {
      if (draining) {
        return;
      }
      draining = true;
    } finally {
      lock.unlock();
    }
    drainOwned();
  }

  private void drainOwned() {
    while (true) {
      InFlight head;
      lock.lock();
      try {
        head = inFlight.peekFirst();
        if (head == null || !head.done || state == State.CLOSED) {
          draining = false;
          return;
        }
        if (head.failure == null && head.offset == expectedOffset) {
          inFlight.removeFirst();
          expectedOffset++;
        }
      } finally {
        lock.unlock();
      }
      if (head.failure != null) {
        closeByItself("the fate of an append is unknown: " + head.failure, 0);
      } else if (head.offset >= expectedOffset) {
        InFlight gapped = head;
        gapReader.execute(() -> readGap(gapped));
        return;
      } else {
        head.completion.completed(new Outcome.Accepted(head.offset, head.timestampMillis));
      }
    }
  }

  /** Reads the foreign records before {@code head} and goes on draining, or closes. */
  private void readGap(InFlight head) {
    long[] newerTerm = {0};
    try {
      log.read(
          expectedOffset,
          head.offset,
          stored -> {
            RecordHeader header = RecordHeader.read(stored.record().header());
            if (header.kind() == RecordHeader.Kind.FENCE && header.term() > term) {
              newerTerm[0] = Math.max(newerTerm[0], header.term());
            }
          });
    } catch (LogException | RuntimeException e) {
      closeByItself("foreign records could not be read: " + e.getMessage(), 0);
      return;
    }
    if (newerTerm[0] > 0) {
      closeByItself("fenced by term " + newerTerm[0], newerTerm[0]);
      return;
    }
    lock.lock();
    try {
      expectedOffset = head.offset;
    } finally {
      lock.unlock();
    }
    drainOwned();
  }

  private void closeByItself(String reason, long newerTerm) {
    if (close(reason)) {
      onClosed.closed(reason, newerTerm);
    }
  }

  /**
   * Closes the gate. What is in flight completes as unknown. Returns whether this call closed it.
   */
  public boolean close(String reason) {
    List<InFlight> failed;
    lock.lock();
    try {
      if (state == State.CLOSED) {
        return false;
      }
      state = State.CLOSED;
      closedReason = reason;
      failed = new ArrayList<>(inFlight);
      inFlight.clear();
    } finally {
      lock.unlock();
    }
    for (InFlight entry : failed) {
      entry.completion.completed(new Outcome.Unknown(reason));
    }
    return true;
  }

  public boolean isOpen() {
    lock.lock();
    try {
      return state == State.OPEN;
    } finally {
      lock.unlock();
    }
  }

  /** Why {@link #append} returns false. */
  public String closedReason() {
    lock.lock();
    try {
      return closedReason;
    } finally {
      lock.unlock();
    }
  }

  private void require(State expected) {
    if (state != expected) {
      throw new IllegalStateException("expected state " + expected + ", was " + state);
    }
  }
}
