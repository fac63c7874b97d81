package io.varve.testkit.sim;

import io.varve.events.RawRecord;
import io.varve.events.StoredRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * A partition as its broker stores it. Truncation moves the start but keeps the records, for the
 * invariants.
 */
final class SimulatedPartition {

  /** Receives each record when it is stored, before any reader does. */
  @FunctionalInterface
  interface Witness {
    void landed(SimulatedPartition partition, StoredRecord record, String writer);
  }

  private static final int DELETED_AT_ONCE = 1_000;

  /** A shorter outage may be a delay. */
  private static final long LONG_OUTAGE_MICROS = 500_000;

  private final String topic;
  private final int number;
  private final EventQueue queue;
  private final Witness witness;
  private final List<StoredRecord> records = new ArrayList<>();
  private final List<Runnable> waiting = new ArrayList<>();
  private long startOffset;
  private long deletedBefore;
  private long unavailableSinceMicros;
  private long unavailableUntilMicros;
  private long longOutageUntilMicros;
  private int restarts;
  private boolean wentBack;
  private boolean lacksTail;
  private long cutAt;

  SimulatedPartition(String topic, int number, EventQueue queue, Witness witness) {
    this.topic = topic;
    this.number = number;
    this.queue = queue;
    this.witness = witness;
  }

  String topic() {
    return topic;
  }

  int number() {
    return number;
  }

  long startOffset() {
    return startOffset;
  }

  long endOffset() {
    return deletedBefore + records.size();
  }

  StoredRecord record(long offset) {
    return records.get((int) (offset - deletedBefore));
  }

  List<StoredRecord> all() {
    return records;
  }

  boolean available() {
    return queue.nowMicros() >= unavailableUntilMicros;
  }

  void unavailableFor(long micros) {
    if (available()) {
      unavailableSinceMicros = queue.nowMicros();
    }
    unavailableUntilMicros = queue.nowMicros() + micros;
    if (unavailableUntilMicros - unavailableSinceMicros > LONG_OUTAGE_MICROS) {
      longOutageUntilMicros = unavailableUntilMicros;
    }
  }

  /** Ends an outage. */
  void heal() {
    if (!available()) {
      unavailableUntilMicros = queue.nowMicros();
      longOutageUntilMicros =
          unavailableUntilMicros - unavailableSinceMicros > LONG_OUTAGE_MICROS
              ? unavailableUntilMicros
              : 0;
    }
  }

  /** The end of the last long outage. */
  long longOutageUntilMicros() {
    return longOutageUntilMicros;
  }

  StoredRecord land(RawRecord record, String writer) {
    StoredRecord stored = new StoredRecord(endOffset(), queue.nowMillis(), record);
    records.add(stored);
    witness.landed(this, stored, writer);
    changed();
    return stored;
  }

  private void changed() {
    List<Runnable> listeners = List.copyOf(waiting);
    waiting.clear();
    listeners.forEach(Runnable::run);
  }

  /** Runs {@code listener} once, when records are added or lost at the end. */
  void whenChanged(Runnable listener) {
    waiting.add(listener);
  }

  /** Increases when its broker restarts; messages to the former broker are lost. */
  int restarts() {
    return restarts;
  }

  /** Whether it has lost its end. */
  boolean wentBack() {
    return wentBack;
  }

  /** Injects the loss of the end, or of everything; returns the lost records. */
  List<StoredRecord> cutEnd(long endOffset) {
    wentBack = true;
    return cut(endOffset);
  }

  /**
   * The same while writers run; {@link #restore} discards the records that they append from now on.
   */
  List<StoredRecord> cutEndUnderWriters(long endOffset) {
    lacksTail = true;
    return cut(endOffset);
  }

  /** Whether it has lost its end while writers run. */
  boolean lacksTail() {
    return lacksTail;
  }

  /** It continues without the end that it has lost. */
  void revived() {
    lacksTail = false;
  }

  private List<StoredRecord> cut(long endOffset) {
    restarts++;
    cutAt = endOffset;
    List<StoredRecord> tail = records.subList((int) endOffset, records.size());
    List<StoredRecord> lost = List.copyOf(tail);
    tail.clear();
    startOffset = Math.min(startOffset, endOffset);
    changed();
    return lost;
  }

  /** Restores the log: it starts where it started before, and {@code tail} is at its end again. */
  void restore(long beginning, List<StoredRecord> tail) {
    restarts++;
    wentBack = false;
    lacksTail = false;
    records.subList((int) cutAt, records.size()).clear();
    records.addAll(tail);
    startOffset = beginning;
    changed();
  }

  void truncateBefore(long offset) {
    startOffset = Math.max(startOffset, offset);
  }

  /** Deletes records of a topic that no invariant compares with, many at a time. */
  void deleteBefore(long offset) {
    if (offset - deletedBefore >= DELETED_AT_ONCE) {
      records.subList(0, (int) (offset - deletedBefore)).clear();
      deletedBefore = offset;
      truncateBefore(offset);
    }
  }
}
