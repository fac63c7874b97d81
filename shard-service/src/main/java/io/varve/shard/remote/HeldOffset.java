package io.varve.shard.remote;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The offset up to which a segment store has held operations for a grace period. The grace period
 * is needed because a reader of the store may still use an older manifest than the last one.
 *
 * <p>Not thread-safe.
 */
final class HeldOffset {

  /** All operations before {@code nextOffset} have been in the store since {@code sinceMillis}. */
  private record Stored(long nextOffset, long sinceMillis) {}

  private final long graceMillis;
  private final Deque<Stored> younger = new ArrayDeque<>();
  private long heldOffset = -1;

  HeldOffset(long graceMillis) {
    this.graceMillis = graceMillis;
  }

  /** A manifest was stored that contains everything before that offset. */
  void stored(long nextOffset, long nowMillis) {
    younger.addLast(new Stored(nextOffset, nowMillis));
  }

  /** The offset at that time; -1 for none. */
  long at(long nowMillis) {
    for (Stored oldest = younger.peekFirst();
        oldest != null && nowMillis - oldest.sinceMillis() >= graceMillis;
        oldest = younger.peekFirst()) {
      heldOffset = oldest.nextOffset();
      younger.removeFirst();
    }
    return heldOffset;
  }

  /** The store has lost objects: nothing stored so far counts as held. */
  void lost() {
    younger.clear();
    heldOffset = -1;
  }
}
