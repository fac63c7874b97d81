package io.varve.host.search;

import io.varve.engine.PhaseCounter;
import io.varve.engine.SearchMeters;
import io.varve.engine.SearchView;
import io.varve.engine.Searchable;
import io.varve.events.ShardId;
import io.varve.host.ShardCopy;
import org.jspecify.annotations.Nullable;

/**
 * A view of one copy that is kept open for later searches. The registry owns its state; the holder
 * of a {@link ReaderContexts.Lease} may search it.
 */
final class ReaderContext {

  /** The purpose of the context. */
  enum Kind {
    SCROLL,
    PIT
  }

  final String id;
  final ShardId shard;
  final ShardCopy copy;
  final Kind kind;
  final SearchView view;
  final long createdMillis;
  final Place place;

  /**
   * The position of a reader in its point in time.
   *
   * @param openedMillis when the point in time was opened
   * @param filter of the aliases through which it was opened, or null for none
   */
  record Place(int ordinal, long openedMillis, @Nullable String filter) {}

  /** Guarded by itself: pages of a scroll are read one at a time. */
  final ScrollCursor scroll = new ScrollCursor();

  // Guarded by the registry.
  long keepAliveMillis;
  long expiresMillis;
  int users;
  boolean released;

  private final @Nullable SearchMeters meters;
  private final long beganNanos = System.nanoTime();

  ReaderContext(
      String id,
      ShardCopy copy,
      Kind kind,
      SearchView view,
      long keepAliveMillis,
      Place place,
      long nowMillis) {
    this.id = id;
    this.shard = copy.shard();
    this.copy = copy;
    this.kind = kind;
    this.view = view;
    this.createdMillis = nowMillis;
    this.place = place;
    this.keepAliveMillis = keepAliveMillis;
    this.expiresMillis = nowMillis + keepAliveMillis;
    this.meters = copy.searched().map(Searchable::searchMeters).orElse(null);
    if (meters != null) {
      meters.contextOpened();
      tally(meters).begin();
    }
  }

  /** Counts the context as closed. */
  void ended() {
    if (meters != null) {
      meters.contextClosed();
      tally(meters).end(beganNanos);
    }
  }

  private PhaseCounter tally(SearchMeters of) {
    return kind == Kind.SCROLL ? of.all().scroll : of.all().pointInTime;
  }

  /** The position of a scroll. */
  static final class ScrollCursor {
    @Nullable Scroll now;
  }
}
