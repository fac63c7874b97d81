package io.varve.host;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits the memory of the operations that the idle copies of a node hold without a refresh, see
 * {@link SearchIdle}.
 *
 * <p>While the copies together exceed the limit, a copy may hold only less than an equal share of
 * it. So a refresh is due first where it frees most, and few busy copies may use what many quiet
 * ones do not need.
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
   * A twentieth of the heap. The writers of many shards use about as much again that Lucene does
   * not count, and the collector moves what is held for long to the old generation.
   */
  public static <C> IdleMemory<C> ofHeap() {
    return new IdleMemory<>(Math.max(1, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));
  }

  /** Whether the copy may go on without a refresh, with the bytes that it holds. */
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
