package io.varve.host;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits the memory of the operations that the idle copies of a node hold without a refresh, see
 * {@link SearchIdle}.
 *
 * <p>While all copies together exceed the limit, each copy must hold less than an equal share of
 * it. The copies whose refresh frees the most memory are therefore refreshed first, and a few busy
 * copies may use the memory that many quiet ones do not need.
 *
 * @param <C> identifies a copy
 */
public final class IdleMemory<C> {

  private static final int SHARE_OF_HEAP = 20;

  private final long limitBytes;
  private final Map<C, Long> held = new HashMap<>();
  private long total;

  public IdleMemory(long limitBytes) {
    if (limitBytes < 1) {
      throw new IllegalArgumentException("the limit must be >= 1 byte, was " + limitBytes);
    }
    this.limitBytes = limitBytes;
  }

  /**
   * A twentieth of the heap. The writers of many shards use about the same amount again, which
   * Lucene does not count, and the garbage collector moves long-lived objects to the old
   * generation.
   */
  public static <C> IdleMemory<C> ofHeap() {
    return new IdleMemory<>(Math.max(1, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));
  }

  /** Whether the copy may continue without a refresh, with the bytes that it holds. */
  public synchronized boolean mayHold(C copy, long bytes) {
    Long before = held.put(copy, bytes);
    total += bytes - (before == null ? 0 : before);
    return total <= limitBytes || bytes < limitBytes / held.size();
  }

  /** The copy is refreshed at its interval, or closed. */
  public synchronized void released(C copy) {
    Long before = held.remove(copy);
    total -= before == null ? 0 : before;
  }
}
