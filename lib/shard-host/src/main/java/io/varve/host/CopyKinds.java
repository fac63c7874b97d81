package io.varve.host;

import io.varve.events.ShardId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The kinds of copy that a process can hold: at most one that accepts writes and at most one that
 * does not. A process that has both can promote a replica in place.
 */
public final class CopyKinds {

  private final Map<Boolean, CopyKind> byPrimary = new HashMap<>();

  /**
   * @throws IllegalArgumentException if two kinds have the same role
   */
  public CopyKinds(List<CopyKind> kinds) {
    for (CopyKind kind : kinds) {
      if (byPrimary.putIfAbsent(kind.primary(), kind) != null) {
        throw new IllegalArgumentException("two kinds of " + copies(kind.primary()));
      }
    }
  }

  /** Throws {@link IllegalStateException} on a request for a copy of an absent kind. */
  public CopyFactory on(NodeContext node) {
    Map<Boolean, CopyFactory> factories = new HashMap<>();
    byPrimary.forEach((primary, kind) -> factories.put(primary, kind.on(node)));
    return (context, primary, term) -> {
      CopyFactory factory = factories.get(primary);
      if (factory == null) {
        throw absent(primary, context.shard());
      }
      return factory.create(context, primary, term);
    };
  }

  private static IllegalStateException absent(boolean primary, ShardId shard) {
    return new IllegalStateException(
        "this process can hold no " + copies(primary) + ", was given one of " + shard);
  }

  private static String copies(boolean primary) {
    return primary ? "primaries" : "replicas";
  }
}
