package io.varve.shard.replicated;

import java.util.BitSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A growing set of seq_nos with one bit for each, in pages of {@value #PER_PAGE}. A page exists
 * from its first seq_no on; a full one needs no bits. Not thread-safe.
 */
final class SeqNoPages {

  private static final int SHIFT = 16;
  static final int PER_PAGE = 1 << SHIFT;

  /** All pages that are full. */
  private static final BitSet FULL = new BitSet(0);

  private final TreeMap<Long, BitSet> pages = new TreeMap<>();

  /** A set with the same seq_nos, which does not follow changes of this one. */
  SeqNoPages copy() {
    SeqNoPages copy = new SeqNoPages();
    pages.forEach(
        (number, page) -> copy.pages.put(number, isFull(page) ? page : (BitSet) page.clone()));
    return copy;
  }

  boolean contains(long seqNo) {
    BitSet page = pages.get(seqNo >> SHIFT);
    return page != null && (isFull(page) || page.get(place(seqNo)));
  }

  /** Adds the seq_nos from {@code from} to {@code to}, inclusive. */
  void add(long from, long to) {
    long first = from >> SHIFT;
    long last = to >> SHIFT;
    for (long number = first; number <= last; number++) {
      add(number, number == first ? place(from) : 0, number == last ? place(to) : PER_PAGE - 1);
    }
  }

  private void add(long number, int from, int to) {
    BitSet page = pages.computeIfAbsent(number, _ -> new BitSet(PER_PAGE));
    if (isFull(page)) {
      return;
    }
    page.set(from, to + 1);
    if (page.nextClearBit(0) == PER_PAGE) {
      pages.put(number, FULL);
    }
  }

  /** The lowest seq_no from {@code from} on that is not in the set. */
  long nextClear(long from) {
    long seqNo = from;
    while (true) {
      long number = seqNo >> SHIFT;
      @Nullable BitSet page = pages.get(number);
      if (page == null) {
        return seqNo;
      }
      int clear = isFull(page) ? PER_PAGE : page.nextClearBit(place(seqNo));
      if (clear < PER_PAGE) {
        return (number << SHIFT) + clear;
      }
      seqNo = (number + 1) << SHIFT;
    }
  }

  /** Forgets pages whose seq_nos are all below. */
  void forgetBelow(long seqNo) {
    pages.headMap(seqNo >> SHIFT).clear();
  }

  private static int place(long seqNo) {
    return (int) (seqNo & (PER_PAGE - 1));
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isFull(BitSet page) {
    return page == FULL;
  }
}
