package io.varve.host;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a copy is search idle: it was not searched for {@code index.search.idle.after}, so its
 * periodic refreshes may be rarer, and the next search refreshes it before it reads.
 *
 * <pre>
 *   SEARCHED   the last search, or the opening of the copy, is less than that time ago
 *   IDLE       otherwise; a search changes it to AWAKENING, or to SEARCHED if all is visible
 *   AWAKENING  the first search has started a refresh; searches that arrive before the refresh
 *              has ended also wait for it
 * </pre>
 *
 * Thread-safe; no threads, and times are parameters.
 */
public final class SearchIdle {

  /** A copy that is never idle. */
  public static final long NEVER = -1;

  private static final CompletableFuture<Void> NOTHING = CompletableFuture.completedFuture(null);

  private long searchedMillis;
  private CompletableFuture<?> awakening = NOTHING;

  public SearchIdle(long openedMillis) {
    this.searchedMillis = openedMillis;
  }

  /**
   * The milliseconds without a search after which the primary of a shard is idle. {@link #NEVER} if
   * its refreshes do not serve only its own searches: if the user has set an interval, if copies
   * receive its segments, or if the index uses the segment store.
   */
  public static long afterMillis(IndexMetadata index, ShardId shard) {
    ShardRouting routing = index.shard(shard.number());
    boolean forItselfOnly =
        !index.settings().containsKey(IndexSettings.REFRESH_INTERVAL)
            && !IndexSettings.isRemoteBacked(index.settings())
            && routing.copies().size() == 1
            && routing.relocations().isEmpty();
    return forItselfOnly ? IndexSettings.searchIdleAfterMillis(index.settings()) : NEVER;
  }

  /**
   * @param afterMillis time without a search; negative for never
   */
  public synchronized boolean isIdle(long afterMillis, long nowMillis) {
    return afterMillis >= 0 && nowMillis - searchedMillis >= afterMillis;
  }

  /**
   * A search begins.
   *
   * @param refresh starts the refresh of an idle copy, without waiting for it; null if all applied
   *     operations are visible
   * @return the refresh for which the search waits
   */
  public synchronized CompletableFuture<?> searched(
      long afterMillis, long nowMillis, Supplier<@Nullable CompletableFuture<?>> refresh) {
    boolean wasIdle = isIdle(afterMillis, nowMillis);
    searchedMillis = nowMillis;
    if (wasIdle) {
      CompletableFuture<?> begun = refresh.get();
      awakening = begun == null ? NOTHING : begun;
    }
    return awakening;
  }
}
