package io.varve.ccr;

import io.varve.ccr.ArrivedBatches.Arrived;
import io.varve.events.StoredRecord;
import io.varve.log.FencedTail;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.UnreadableRecordException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Delivers batches read from a leader's log, and marks those before which the log may have been
 * replaced. This is possible if a batch was read over a new connection, or if nothing was read for
 * {@link #SILENCE_MILLIS}: before its log can be replaced, a broker must be stopped, which ends its
 * connections. It is also possible before an operation whose predecessors were not accepted: a log
 * that lost its tail and regained it holds records at offsets that the reader has passed. The same
 * gap marks one batch only, because a failed append leaves a gap that remains.
 *
 * <p>Called only by the thread of the tail.
 */
public final class LeaderReader implements FencedTail.Listener {

  static final long SILENCE_MILLIS = 1_000;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final InstantSource clock;
  private final PullProgress progress;
  private final Consumer<Arrived> arrived;
  private final BooleanSupplier ready;
  private long lastReadMillis;
  private long waitingSinceMillis;
  private boolean reconnected;
  private boolean foundGap;
  private long lastTerm;

  /** A reader that is always ready. */
  public LeaderReader(InstantSource clock, PullProgress progress, Consumer<Arrived> arrived) {
    this(clock, progress, arrived, () -> true);
  }

  /**
   * @param arrived takes what was read, without blocking
   * @param ready whether another batch may be read
   */
  public LeaderReader(
      InstantSource clock,
      PullProgress progress,
      Consumer<Arrived> arrived,
      BooleanSupplier ready) {
    this.ready = ready;
    this.clock = clock;
    this.progress = progress;
    this.arrived = arrived;
    this.lastReadMillis = clock.millis();
    this.waitingSinceMillis = lastReadMillis;
  }

  @Override
  public void accepted(List<StoredRecord> batch, long nextOffset, long term) {
    long nowMillis = clock.millis();
    boolean interrupted = reconnected || foundGap || nowMillis - lastReadMillis >= SILENCE_MILLIS;
    lastReadMillis = nowMillis;
    reconnected = false;
    foundGap = false;
    lastTerm = term;
    progress.read(batch, nextOffset, nowMillis, Math.max(0, nowMillis - waitingSinceMillis));
    arrived.accept(new Arrived.Records(batch, nextOffset, interrupted));
    waitingSinceMillis = clock.millis();
  }

  @Override
  public void logEnd(long offset, long ageNanos) {
    progress.leaderEnded(offset, clock.millis() - Math.ceilDiv(ageNanos, NANOS_PER_MILLI));
  }

  @Override
  public boolean isReady() {
    return ready.getAsBoolean();
  }

  @Override
  public void reconnected() {
    reconnected = true;
  }

  @Override
  public void gapFound(StoredRecord operation) {
    foundGap |= progress.isNewGap(operation.offset());
  }

  @Override
  public void fenceMissed(StoredRecord operation) {
    arrived.accept(new Arrived.Lost(LeaderHistory.fenceMissed(operation).reason()));
  }

  @Override
  public void unreadable(UnreadableRecordException reason) {
    arrived.accept(
        new Arrived.Unreadable(reason.offset(), lastTerm, String.valueOf(reason.getMessage())));
  }

  /**
   * The record at that offset, whose header can't be read, and at most {@link
   * UnreadableRecord#MOST_RECORDS_BEHIND} after it; empty if the log ends before it.
   */
  public static List<StoredRecord> recordsFrom(PartitionLog log, long offset) throws LogException {
    long end = Math.min(log.endOffset(), offset + 1 + UnreadableRecord.MOST_RECORDS_BEHIND);
    List<StoredRecord> records = new ArrayList<>();
    if (offset < end) {
      log.read(offset, end, records::add);
    }
    return records;
  }

  @Override
  public void lost(LogException.OutOfRange reason) {
    arrived.accept(new Arrived.Lost(String.valueOf(reason.getMessage())));
  }
}
