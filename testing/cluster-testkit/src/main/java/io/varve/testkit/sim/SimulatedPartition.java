package io.varve.testkit.sim;

import io.varve.events.RawRecord;
import io.varve.events.StoredRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * A partition as its broker holds it. Truncation moves the start; the records themselves are kept,
 * for the judges.
 */
final class SimulatedPartition {

  /** Sees each record when it lands, before any reader can. */
  @FunctionalInterface
  interface Witness {
    void landed(SimulatedPartition partition, StoredRecord record, String writer);
  }

  private final String topic;
  private final int number;
  private final EventQueue queue;
  private final Witness witness;
  private final List<StoredRecord> records = new ArrayList<>();
  private final List<Runnable> waiting = new ArrayList<>();
  private long startOffset;
  private long unavailableUntilMicros;
  private int restarts;
  private boolean wentBack;

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
    return records.size();
  }

  List<StoredRecord> all() {
    return records;
  }

  boolean available() {
    return queue.nowMicros() >= unavailableUntilMicros;
  }

  void unavailableFor(long micros) {
    unavailableUntilMicros = queue.nowMicros() + micros;
  }

  void available(boolean now) {
    unavailableUntilMicros = now ? 0 : Long.MAX_VALUE;
  }

  StoredRecord land(RawRecord record, String writer) {
    StoredRecord stored = new StoredRecord(records.size(), queue.nowMillis(), record);
    records.add(stored);
    witness.landed(this, stored, writer);
    changed();
    return stored;
  }

  private void changed() {
    List<Runnable> wake = List.copyOf(waiting);
    waiting.clear();
    wake.forEach(Runnable::run);
  }

  /** Runs {@code wake} once, when records were added at the end or lost there. */
  void whenChanged(Runnable wake) {
    waiting.add(wake);
  }

  /** Rises whenever its broker starts anew: what was sent to the one before does not arrive. */
  int restarts() {
    return restarts;
  }

  /** Whether it has lost its tail. */
  boolean wentBack() {
    return wentBack;
  }

  /** The fault of a log that loses its tail, or all that it has; returns what it lost. */
  List<StoredRecord> cutEnd(long endOffset) {
    restarts++;
    wentBack = true;
    List<StoredRecord> tail = records.subList((int) endOffset, records.size());
    List<StoredRecord> lost = List.copyOf(tail);
    tail.clear();
    startOffset = Math.min(startOffset, endOffset);
    changed();
    return lost;
  }

  /** The log is restored: it begins where it began, and {@code tail} is at its end again. */
  void restore(long beginning, List<StoredRecord> tail) {
    restarts++;
    wentBack = false;
    records.addAll(tail);
    startOffset = beginning;
    changed();
  }

  void truncateBefore(long offset) {
    startOffset = Math.max(startOffset, offset);
  }
}
