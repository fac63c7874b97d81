package io.varve.control.command;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.rpc.ClusterCalls;
import java.util.Optional;

/**
 * Decides whether a replica of a strongly consistent index may start. While another copy serves,
 * the primary of the present term must have admitted the replica, so that the primary returns only
 * records that the replica also holds. While no other copy serves, no admission is possible, and
 * the replica may have to be promoted.
 */
final class Admissions {

  private Admissions() {}

  static boolean isMissing(ClusterState state, ClusterCalls.CopyStarted news) {
    boolean strong =
        state
            .index(news.shard().indexUuid())
            .map(IndexMetadata::settings)
            .filter(IndexSettings::isStrong)
            .isPresent();
    Optional<ShardRouting> shard = state.shard(news.shard());
    if (!strong || shard.isEmpty() || !needsOne(shard.get(), news.copyId())) {
      return false;
    }
    Long admittedIn = news.admittedIn();
    return state.othersServe(shard.get(), news.copyId())
        && (admittedIn == null || admittedIn != shard.get().primaryTerm());
  }

  private static boolean needsOne(ShardRouting shard, String copyId) {
    Optional<Relocation> relocation = shard.relocationTo(copyId);
    CopyRouting copy = shard.copy(copyId).or(() -> relocation.map(Relocation::target)).orElse(null);
    boolean takesOver = relocation.filter(Relocation::handsOver).isPresent();
    return copy != null && !copy.primary() && !copy.searchOnly() && !takesOver;
  }
}
