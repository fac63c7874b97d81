package io.varve.shard.remote;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The offset up to which a segment store has held operations for a grace period: a reader of the
 * store may still use an older manifest than the one that was stored last.
 *
 * <p>Not thread-safe.
 */
final class HeldOffset {

  /** Everything before that offset is in the store since then. */
  private record Stored(long nextOffset, long sinceMillis) {}

  private final long graceMillis;
  private final Deque<Stored> younger = new ArrayDeque<>();
  private long heldOffset = -1;

  HeldOffset(long graceMillis) {
    this.graceMillis = graceMillis;
  }

  /** A manifest was stored with everything before that offset. */
  void stored(long nextOffset, long nowMillis) {
    younger.addLast(new Stored(nextOffset, nowMillis));
  }

  /** Returns -1 for none. */
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
