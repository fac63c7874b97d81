package io.varve.cluster;

import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The copies of one shard. INVARIANT: exactly one is the primary, and it comes first.
 *
 * @param primaryTerm the newest term given to a primary, 0 before the first
 */
public record ShardRouting(ShardId shard, long primaryTerm, List<CopyRouting> copies) {

  public ShardRouting {
    copies = List.copyOf(copies);
    if (copies.isEmpty()
        || !copies.getFirst().primary()
        || copies.stream().filter(CopyRouting::primary).count() != 1) {
      throw new IllegalArgumentException(
          "shard " + shard + " needs exactly one primary, first: " + copies);
    }
  }

  public CopyRouting primary() {
    return copies.getFirst();
  }

  public List<CopyRouting> replicas() {
    return copies.subList(1, copies.size());
  }

  public Optional<CopyRouting> copy(String copyId) {
    return copies.stream().filter(c -> c.copyId().equals(copyId)).findFirst();
  }

  public ShardRouting withTerm(long term) {
    return new ShardRouting(shard, term, copies);
  }

  /** The same with the copy {@code copyId} changed; unknown ids change nothing. */
  public ShardRouting withCopy(String copyId, UnaryOperator<CopyRouting> change) {
    return withCopies(c -> c.copyId().equals(copyId) ? change.apply(c) : c);
  }

  /**
   * The replica {@code copyId} is the primary under {@code term}. The former primary is a replica
   * from here on and keeps its place if it has one. An id that is no replica's changes nothing.
   */
  public ShardRouting promoted(String copyId, long term, String reason) {
    Optional<CopyRouting> successor =
        replicas().stream().filter(c -> c.copyId().equals(copyId)).findFirst();
    if (successor.isEmpty()) {
      return this;
    }
    List<CopyRouting> next = new ArrayList<>();
    next.add(successor.get().promoted());
    replicas().stream().filter(c -> !c.copyId().equals(copyId)).forEach(next::add);
    next.add(primary().demoted(reason));
    return new ShardRouting(shard, term, next);
  }

  public ShardRouting withCopies(UnaryOperator<CopyRouting> change) {
    return new ShardRouting(shard, primaryTerm, copies.stream().map(change).toList());
  }
}
