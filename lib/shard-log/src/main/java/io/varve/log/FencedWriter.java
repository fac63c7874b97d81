package io.varve.log;

import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

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
 *   <li>CLOSED: by a higher fence, by an append whose fate is unknown, or by the owner, at once or
 *       when what is in flight has got its answer. Behind a higher fence what was in flight is
 *       <em>rejected</em>: the log keeps the order of the appends, so all of it stands behind the
 *       fence if anywhere. Else it is <em>unknown</em>. The only way on is a new writer with a
 *       higher term.
 * </ul>
 *
 * INVARIANT: completions run once each, in the order of the appends, never under a lock and never
 * inside {@link #append}. After the first that is not accepted, none is accepted. What closed the
 * writer is told after them.
 *
 * <p>Two locks: {@code order} is held over the log's own append, so that the log sees the appends
 * in the order of the calls, and that append may block; {@code lock} guards the state and is only
 * held for moments, so the log's answers and {@link #close} never wait for an append.
 */
public final class FencedWriter {

  /** What became of an append. */
  public sealed interface Outcome {

    /** All copies will apply it. */
    record Accepted(long offset, long timestampMillis) implements Outcome {}

    /** No reader will ever accept it. */
    record Rejected(String reason) implements Outcome {}

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

  private final PartitionLog log;
  private final long term;
  private final String nodeId;
  private final Executor gapReader;
  private final ClosedListener onClosed;
  private final ReentrantLock order = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final OrderedDelivery delivery = new OrderedDelivery();
  private final InFlightWindow window = new InFlightWindow();
  private final GapReader gaps;
  private State state = State.NEW;
  private final Condition settled = lock.newCondition();

  /** Nothing is taken any more, and what is in flight is waited for. */
  private boolean settling;

  private String closedReason = "not open yet";
  private Outcome fateOfInFlight = new Outcome.Unknown("not open yet");

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
    this.gaps = new GapReader(log, term, gapReader);
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
    move(State.NEW, State.FENCING);
    try {
      log.append(RecordHeader.fence(term, nodeId), fenceCallback(completion));
    } catch (LogException.Full e) {
      move(State.FENCING, State.NEW);
      throw e;
    }
  }

  private void move(State from, State to) {
    lock.lock();
    try {
      if (state != from) {
        throw new IllegalStateException("expected state " + from + ", was " + state);
      }
      state = to;
    } finally {
      lock.unlock();
    }
  }

  private PartitionLog.AppendCallback fenceCallback(Completion completion) {
    return new PartitionLog.AppendCallback() {
      @Override
      public void appended(long offset, long timestampMillis) {
        settle(() -> {
          if (state == State.FENCING) {
            state = State.REPLAYING;
            window.startAt(offset + 1);
          }
          tell(completion, new Outcome.Accepted(offset, timestampMillis));
        });
      }

      @Override
      public void unknown(String reason) {
        settle(() -> {
          closeLocked(reason);
          tell(completion, new Outcome.Unknown(reason));
        });
      }
    };
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
    InFlightWindow.Entry entry = new InFlightWindow.Entry(completion);
    order.lock();
    try {
      if (!admit(entry)) {
        return false;
      }
      boolean sent = false;
      try {
        log.append(record, callbackFor(entry));
        sent = true;
      } finally {
        sent(entry, sent);
      }
      return true;
    } finally {
      order.unlock();
    }
  }

  private boolean admit(InFlightWindow.Entry entry) {
    lock.lock();
    try {
      if (!takes()) {
        return false;
      }
      window.add(entry);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean takes() {
    return state == State.OPEN && !settling;
  }

  /** The log took the entry or refused it; the writer may have closed meanwhile. */
  private void sent(InFlightWindow.Entry entry, boolean taken) {
    boolean late;
    lock.lock();
    try {
      if (taken) {
        entry.sent();
      } else {
        window.withdraw(entry);
        signalIfSettled();
      }
      late = taken && state == State.CLOSED && !entry.isTold();
      if (late) {
        tell(entry, fateOfInFlight);
      }
    } finally {
      lock.unlock();
    }
    if (late) {
      // The caller may hold locks of its own.
      gapReader.execute(delivery::deliver);
    }
  }

  private PartitionLog.AppendCallback callbackFor(InFlightWindow.Entry entry) {
    return new PartitionLog.AppendCallback() {
      @Override
      public void appended(long offset, long timestampMillis) {
        settle(() -> entry.appended(offset, timestampMillis));
      }

      @Override
      public void unknown(String reason) {
        settle(() -> entry.unknown(reason));
      }
    };
  }

  /** Takes in what is new, decides what can be decided, in order, and tells it. */
  private void settle(Runnable news) {
    lock.lock();
    try {
      news.run();
      decide();
    } finally {
      lock.unlock();
    }
    delivery.deliver();
  }

  private void decide() {
    while (state == State.OPEN) {
      switch (window.next()) {
        case InFlightWindow.Step.Wait _ -> {
          signalIfSettled();
          return;
        }
        case InFlightWindow.Step.Accept(InFlightWindow.Entry entry) ->
            tell(entry, new Outcome.Accepted(entry.offset(), entry.timestampMillis()));
        case InFlightWindow.Step.Gap(long from, long to) ->
            delivery.note(() -> gaps.read(from, to, result -> settle(() -> gapRead(result, to))));
        case InFlightWindow.Step.Broken(String reason) -> closeByItself(reason);
      }
    }
  }

  private void gapRead(GapReader.Result result, long toOffset) {
    switch (result) {
      case GapReader.Result.NothingNewer _ -> window.gapReadTo(toOffset);
      case GapReader.Result.FencedBy(long newerTerm) -> fencedOff(newerTerm);
      case GapReader.Result.Unreadable(String reason) -> closeByItself(reason);
    }
  }

  private void signalIfSettled() {
    if (window.isEmpty()) {
      settled.signalAll();
    }
  }

  /** The record at the head of what is in flight was found behind the fence. */
  private void fencedOff(long newerTerm) {
    String reason = "fenced by term " + newerTerm;
    if (closeLocked(reason, new Outcome.Rejected(reason))) {
      delivery.note(() -> onClosed.closed(reason, newerTerm));
    }
  }

  private void closeByItself(String reason) {
    if (closeLocked(reason)) {
      delivery.note(() -> onClosed.closed(reason, 0));
    }
  }

  /**
   * Closes the gate. What is in flight completes as unknown. Returns whether this call closed it.
   */
  public boolean close(String reason) {
    boolean closed;
    lock.lock();
    try {
      closed = closeLocked(reason);
    } finally {
      lock.unlock();
    }
    delivery.deliver();
    return closed;
  }

  /**
   * Takes nothing more, waits until the fate of what is in flight is known, though no longer than
   * that, and closes. Who hands over to another writer owes his clients an answer. Returns whether
   * this call closed it.
   */
  public boolean close(String reason, Duration settleWithin) {
    lock.lock();
    try {
      if (state == State.OPEN) {
        settling = true;
        closedReason = reason;
      }
      long nanos = settleWithin.toNanos();
      while (state == State.OPEN && !window.isEmpty() && nanos > 0) {
        nanos = settled.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
    return close(reason);
  }

  private boolean closeLocked(String reason) {
    return closeLocked(reason, new Outcome.Unknown(reason));
  }

  private boolean closeLocked(String reason, Outcome ofInFlight) {
    if (state == State.CLOSED) {
      return false;
    }
    state = State.CLOSED;
    closedReason = reason;
    fateOfInFlight = ofInFlight;
    window.drain().forEach(entry -> tell(entry, ofInFlight));
    signalIfSettled();
    return true;
  }

  private void tell(InFlightWindow.Entry entry, Outcome outcome) {
    entry.told();
    tell(entry.completion(), outcome);
  }

  private void tell(Completion completion, Outcome outcome) {
    delivery.note(() -> completion.completed(outcome));
  }

  public boolean isOpen() {
    lock.lock();
    try {
      return takes();
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
}
