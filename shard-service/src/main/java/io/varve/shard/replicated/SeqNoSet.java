package io.varve.shard.replicated;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A growing set of seq_nos: everything up to a floor, and intervals above it. Beyond {@link
 * #MOST_INTERVALS} intervals they are kept as one bit per seq_no, so the memory is at most one bit
 * per operation and half a megabyte. Not thread-safe.
 */
final class SeqNoSet {

  /** An interval costs about 100 bytes. */
  static final int MOST_INTERVALS = 4_096;

  private long floor = -1;
  private TreeMap<Long, Long> intervals = new TreeMap<>();
  private @Nullable SeqNoPages pages;
  private long highest = -1;

  /** A set with the same seq_nos, which does not follow changes of this one. */
  SeqNoSet copy() {
    SeqNoSet copy = new SeqNoSet();
    copy.floor = floor;
    copy.intervals = new TreeMap<>(intervals);
    copy.pages = pages == null ? null : pages.copy();
    copy.highest = highest;
    return copy;
  }

  boolean contains(long seqNo) {
    if (seqNo <= floor) {
      return true;
    }
    if (pages != null) {
      return pages.contains(seqNo);
    }
    Map.Entry<Long, Long> before = intervals.floorEntry(seqNo);
    return before != null && before.getValue() >= seqNo;
  }

  /** The seq_no up to which all are contained; -1 for none. */
  long floor() {
    return floor;
  }

  /** The highest seq_no; -1 for an empty set. */
  long highest() {
    return highest;
  }

  int intervals() {
    return intervals.size();
  }

  /** Adds the seq_nos from {@code from} to {@code to}, inclusive; nothing if {@code to} is less. */
  void add(long from, long to) {
    if (to < from || to <= floor) {
      return;
    }
    highest = Math.max(highest, to);
    if (from <= floor + 1) {
      floor = to;
      joinFloor();
    } else if (pages != null) {
      pages.add(from, to);
    } else {
      insert(from, to);
      foldIfMany();
    }
  }

  private void insert(long from, long to) {
    long begin = from;
    long end = to;
    Map.Entry<Long, Long> before = intervals.floorEntry(begin);
    if (before != null && before.getValue() >= begin - 1) {
      begin = before.getKey();
      end = Math.max(end, before.getValue());
    }
    for (Map.Entry<Long, Long> next = intervals.ceilingEntry(begin);
        next != null && next.getKey() <= end + 1;
        next = intervals.ceilingEntry(begin)) {
      end = Math.max(end, next.getValue());
      intervals.remove(next.getKey());
    }
    intervals.put(begin, end);
  }

  private void foldIfMany() {
    if (intervals.size() > MOST_INTERVALS) {
      SeqNoPages folded = new SeqNoPages();
      intervals.forEach(folded::add);
      pages = folded;
      intervals = new TreeMap<>();
    }
  }

  /** Moves the floor over everything that follows it. */
  private void joinFloor() {
    if (pages != null) {
      floor = pages.nextClear(floor + 1) - 1;
      pages.forgetBelow(floor + 1);
      if (floor >= highest) {
        pages = null;
      }
      return;
    }
    while (!intervals.isEmpty() && intervals.firstKey() <= floor + 1) {
      floor = Math.max(floor, intervals.pollFirstEntry().getValue());
    }
  }
}
