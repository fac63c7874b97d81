package io.varve.host.search;

import io.varve.engine.SearchView;
import io.varve.events.ShardId;
import io.varve.host.ShardCopy;
import io.varve.host.search.ReaderContext.Kind;
import io.varve.rpc.ApiException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The readers that scrolls and points in time keep open on this node.
 *
 * <pre>
 *   open -> (used -> kept)* -> released
 *   released by its client, when its copy closes, or after its keep-alive without use
 * </pre>
 *
 * <p>One timer event is scheduled for the keep-alive that expires first. A context that is being
 * searched is released only after the search has ended.
 *
 * <p>INVARIANTS: a view is closed once, when its context is released and unused; a context's files
 * are kept while its view is open, regardless of refreshes and merges.
 */
public final class ReaderContexts implements AutoCloseable {

  private record Key(String id, ShardId shard) {}

  /**
   * Contexts of one kind on one shard.
   *
   * @param current open now
   * @param total contexts that have ended, as OpenSearch counts them
   * @param millis total time for which the ended contexts were open
   */
  public record Figures(long current, long total, long millis) {
    static final Figures NONE = new Figures(0, 0, 0);
  }

  /** A point in time on one shard. */
  public record OpenPit(
      String id,
      ShardId shard,
      int ordinal,
      long openedMillis,
      long keepAliveMillis,
      @Nullable String filter) {}

  private record Ended(long count, long millis) {}

  private final ScheduledExecutorService timer;
  private final InstantSource clock;
  private final ToIntFunction<String> limits;
  private final Map<Key, ReaderContext> contexts = new HashMap<>();
  private final Map<ShardId, Map<Kind, Ended>> ended = new HashMap<>();
  private @Nullable ScheduledFuture<?> reaping;
  private long reapingAtMillis = Long.MAX_VALUE;
  private boolean closed;

  /**
   * @param limits how many contexts of a kind may be open, by the kind's name
   */
  public ReaderContexts(
      ScheduledExecutorService timer, InstantSource clock, ToIntFunction<String> limits) {
    this.timer = timer;
    this.clock = clock;
    this.limits = limits;
  }

  /** Allows its holder to search a context until it is closed. */
  final class Lease implements AutoCloseable {
    final ReaderContext context;
    private boolean returned;

    private Lease(ReaderContext context) {
      this.context = context;
    }

    @Override
    public void close() {
      if (!returned) {
        returned = true;
        giveBack(context);
      }
    }
  }

  /** Takes ownership of the view; closes it if the context is refused. */
  synchronized Lease open(
      Kind kind,
      String id,
      ShardCopy copy,
      SearchView view,
      long keepAliveMillis,
      ReaderContext.Place place) {
    try {
      refuseTooMany(kind);
    } catch (ApiException e) {
      view.close();
      throw e;
    }
    ReaderContext context =
        new ReaderContext(id, copy, kind, view, keepAliveMillis, place, clock.millis());
    ReaderContext before = contexts.put(new Key(id, copy.shard()), context);
    if (before != null) {
      release(before);
    }
    context.users++;
    return new Lease(context);
  }

  private void refuseTooMany(Kind kind) {
    if (closed) {
      throw new ApiException(503, "node_closed_exception", "the node is closing");
    }
    int limit = limits.applyAsInt(kind.name());
    long open = contexts.values().stream().filter(context -> context.kind == kind).count();
    if (open < limit) {
      return;
    }
    boolean scroll = kind == Kind.SCROLL;
    throw new ApiException(
        429,
        "rejected_execution_exception",
        "Trying to create too many "
            + (scroll ? "scroll contexts" : "Point In Time contexts")
            + ". Must be less than or equal to: ["
            + limit
            + "]. This limit can be set by changing the ["
            + (scroll ? "search.max_open_scroll_context" : "search.max_open_pit_context")
            + "] setting.");
  }

  /**
   * @param keepAliveMillis keep-alive after this use; 0 for the previous one
   */
  synchronized Lease use(String id, ShardId shard, long keepAliveMillis) {
    ReaderContext context = contexts.get(new Key(id, shard));
    if (context == null || isOver(context)) {
      throw missing(id);
    }
    if (keepAliveMillis > 0) {
      context.keepAliveMillis =
          context.kind == Kind.PIT
              ? Math.max(keepAliveMillis, context.keepAliveMillis)
              : keepAliveMillis;
    }
    context.users++;
    return new Lease(context);
  }

  static ApiException missing(String id) {
    return new ApiException(
        404, "search_context_missing_exception", "No search context found for id [" + id + "]");
  }

  private synchronized void giveBack(ReaderContext context) {
    context.users--;
    if (context.released) {
      closeIfUnused(context);
      return;
    }
    context.expiresMillis = clock.millis() + context.keepAliveMillis;
    reapAt(context.expiresMillis);
  }

  /** Releases a context; returns how many of its readers were open on this node. */
  public synchronized int release(String id) {
    return releaseWhere(context -> context.id.equals(id));
  }

  public synchronized int releaseScrolls() {
    return releaseWhere(context -> context.kind == Kind.SCROLL);
  }

  /** Releases the contexts of a copy that is about to close its readers. */
  public synchronized void copyClosing(ShardCopy copy) {
    releaseWhere(context -> isOf(context, copy));
  }

  @SuppressWarnings("ReferenceEquality") // this very copy: its successor has readers of its own
  private static boolean isOf(ReaderContext context, ShardCopy copy) {
    return context.copy == copy;
  }

  private int releaseWhere(java.util.function.Predicate<ReaderContext> which) {
    int released = 0;
    for (Iterator<ReaderContext> all = contexts.values().iterator(); all.hasNext(); ) {
      ReaderContext context = all.next();
      if (which.test(context)) {
        all.remove();
        release(context);
        released++;
      }
    }
    return released;
  }

  private void release(ReaderContext context) {
    context.released = true;
    context.ended();
    long openMillis = Math.max(0, clock.millis() - context.createdMillis);
    ended
        .computeIfAbsent(context.shard, _ -> new EnumMap<>(Kind.class))
        .merge(
            context.kind,
            new Ended(1, openMillis),
            (a, b) -> new Ended(a.count + b.count, a.millis + b.millis));
    closeIfUnused(context);
  }

  private static void closeIfUnused(ReaderContext context) {
    if (context.users == 0) {
      context.view.close();
    }
  }

  private boolean isOver(ReaderContext context) {
    return context.users == 0 && clock.millis() >= context.expiresMillis;
  }

  private void reapAt(long millis) {
    if (closed || millis >= reapingAtMillis) {
      return;
    }
    if (reaping != null) {
      reaping.cancel(false);
    }
    reapingAtMillis = millis;
    long pause = Math.max(1, millis - clock.millis());
    reaping = timer.schedule(this::reap, pause, TimeUnit.MILLISECONDS);
  }

  private synchronized void reap() {
    reapingAtMillis = Long.MAX_VALUE;
    reaping = null;
    releaseWhere(this::isOver);
    contexts.values().stream()
        .filter(context -> context.users == 0)
        .mapToLong(context -> context.expiresMillis)
        .min()
        .ifPresent(this::reapAt);
  }

  /** The open points in time. */
  public synchronized List<OpenPit> pits() {
    List<OpenPit> open = new ArrayList<>();
    for (ReaderContext context : contexts.values()) {
      if (context.kind == Kind.PIT) {
        open.add(
            new OpenPit(
                context.id,
                context.shard,
                context.place.ordinal(),
                context.place.openedMillis(),
                context.keepAliveMillis,
                context.place.filter()));
      }
    }
    return open;
  }

  public synchronized Figures scrolls(ShardId shard) {
    return figures(shard, Kind.SCROLL);
  }

  public synchronized Figures pits(ShardId shard) {
    return figures(shard, Kind.PIT);
  }

  private Figures figures(ShardId shard, Kind kind) {
    long current =
        contexts.values().stream()
            .filter(context -> context.kind == kind && context.shard.equals(shard))
            .count();
    Ended gone = ended.getOrDefault(shard, Map.of()).get(kind);
    return gone == null
        ? current == 0 ? Figures.NONE : new Figures(current, 0, 0)
        : new Figures(current, gone.count, gone.millis);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (reaping != null) {
      reaping.cancel(false);
    }
    releaseWhere(_ -> true);
  }
}
