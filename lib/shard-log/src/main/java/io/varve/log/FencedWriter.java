package io.varve.log;

import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Writes a fenced partition in one term and determines, without reading records back, whether each
 * was accepted.
 *
 * <p>States, in this order: {@code NEW -> FENCING -> REPLAYING -> OPEN -> CLOSED}, and from any
 * state to CLOSED.
 *
 * <ul>
 *   <li>FENCING: the fence of this term is being appended; {@link #appendFence} reports its offset.
 *   <li>REPLAYING: the owner reads the partition up to the fence to find out whether it won ({@link
 *       #open}).
 *   <li>OPEN: consecutive offsets prove that no other writer appended in between, so a record is
 *       accepted as soon as its offset is known. A gap in the offsets means foreign records, which
 *       are read: a higher fence among them closes this writer; any other record was rejected by
 *       all readers, and writing continues.
 *   <li>CLOSED: by a higher fence, by an append whose outcome is unknown, or by the owner, either
 *       immediately or after the appends in flight have completed. A higher fence <em>rejects</em>
 *       the appends in flight: the log preserves the order of appends, so they can only be after
 *       the fence. Otherwise their outcome is <em>unknown</em>. Writing resumes only with a new
 *       writer in a higher term.
 * </ul>
 *
 * INVARIANT: completions run once each, in the order of the appends, never under a lock and never
 * inside {@link #append}. After the first outcome other than accepted, no append is accepted.
 * {@link ClosedListener} is called after them.
 *
 * <p>Two locks: {@code order} is held during the log's own append, which may block, so that the log
 * receives appends in call order; {@code lock} guards the state and is held briefly, so the log's
 * callbacks and {@link #close} never wait for an append.
 */
public final class FencedWriter {

  /** Outcome of an append. */
  public sealed interface Outcome {

    /** All copies will apply the record. */
    record Accepted(long offset, long timestampMillis) implements Outcome {}

    /** No reader will ever accept the record. */
    record Rejected(String reason) implements Outcome {}

    /**
     * Only reading the log can tell whether it holds the record and whether the record was
     * accepted.
     */
    record Unknown(String reason) implements Outcome {}
  }

  @FunctionalInterface
  public interface Completion {
    void completed(Outcome outcome);
  }

  /** Called once if the writer closes on its own. {@code newerTerm} is 0 without a newer fence. */
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

  /** New appends are refused while those in flight complete. */
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
   * Appends the fence of this term. {@code Accepted} reports its offset only, not that the fence
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
          Outcome unknown = new Outcome.Unknown(reason);
          closeLocked(reason, unknown);
          tell(completion, unknown);
        });
      }
    };
  }

  /**
   * Opens the gate after the owner has read the partition up to and including the fence.
   *
   * @param fence the state right after the fence
   * @return false if this term's fence lost or the writer was closed in the meantime
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
   * Appends a record of this term. The caller numbers records densely and appends them in that
   * order.
   *
   * @return false if the gate is closed: the record is not in the log and never will be, and the
   *     completion will not run
   * @throws LogException.Full if too many bytes are in flight; as for false, the record is not in
   *     the log, and its number may be reused
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

  /** The log accepted or refused the entry; the writer may have closed in the meantime. */
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
      // The caller may hold its own locks.
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

  /**
   * Applies the event, decides the entries at the head of the window, and delivers their outcomes.
   */
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
        case InFlightWindow.Step.Broken(String reason) ->
            closeByItself(reason, new Outcome.Unknown(reason), 0);
      }
    }
  }

  private void gapRead(GapReader.Result result, long toOffset) {
    switch (result) {
      case GapReader.Result.NothingNewer _ -> window.gapReadTo(toOffset);
      case GapReader.Result.FencedBy(long newerTerm) -> {
        String reason = "fenced by term " + newerTerm;
        closeByItself(reason, new Outcome.Rejected(reason), newerTerm);
      }
      case GapReader.Result.Unreadable(String reason) ->
          closeByItself(reason, new Outcome.Unknown(reason), 0);
    }
  }

  private void signalIfSettled() {
    if (window.isEmpty()) {
      settled.signalAll();
    }
  }

  private void closeByItself(String reason, Outcome ofInFlight, long newerTerm) {
    if (closeLocked(reason, ofInFlight)) {
      delivery.note(() -> onClosed.closed(reason, newerTerm));
    }
  }

  /**
   * Closes the gate. Appends in flight complete as unknown. Returns whether this call closed it.
   */
  public boolean close(String reason) {
    boolean closed = locked(() -> closeLocked(reason, new Outcome.Unknown(reason)));
    delivery.deliver();
    return closed;
  }

  /**
   * Refuses new appends, waits up to {@code settleWithin} for those in flight and closes, so that a
   * planned handover to another writer can still answer its clients. Returns whether this call
   * closed it.
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

  private boolean closeLocked(String reason, Outcome ofInFlight) {
    if (state == State.CLOSED) {
      return false;
    }
    state = State.CLOSED;
    closedReason = reason;
    fateOfInFlight = ofInFlight;
    window.drain().forEach(entry -> tell(entry, ofInFlight));
    delivery.note(log::endAppends);
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
    return locked(this::takes);
  }

  /** Why {@link #append} returns false. */
  public String closedReason() {
    return locked(() -> closedReason);
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
