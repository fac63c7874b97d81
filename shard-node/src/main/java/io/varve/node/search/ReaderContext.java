package io.varve.node.search;

import io.varve.engine.SearchView;
import io.varve.events.ShardId;
import io.varve.node.ShardCopy;
import org.jspecify.annotations.Nullable;

/**
 * What a search sees of one copy, kept for later searches. Its state is the registry's; whoever has
 * a {@link ReaderContexts.Lease} on it may search it.
 */
final class ReaderContext {

  /** What it is kept for. */
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

  /** Guarded by itself: pages of a scroll come one after the other. */
  final ScrollCursor scroll = new ScrollCursor();

  // Guarded by the registry.
  long keepAliveMillis;
  long expiresMillis;
  int users;
  boolean released;

  ReaderContext(
      String id, ShardCopy copy, Kind kind, SearchView view, long keepAliveMillis, long nowMillis) {
    this.id = id;
    this.shard = copy.shard();
    this.copy = copy;
    this.kind = kind;
    this.view = view;
    this.createdMillis = nowMillis;
    this.keepAliveMillis = keepAliveMillis;
    this.expiresMillis = nowMillis + keepAliveMillis;
  }

  /** Where a scroll stands. */
  static final class ScrollCursor {
    @Nullable Scroll now;
  }
}
