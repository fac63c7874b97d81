package io.varve.testkit.sim;

import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.events.Manifest;
import io.varve.events.ShardId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An index takes the name of a follower that lost its leader's history only when its primary is
 * started, and has everything that the leader had published when that index was created.
 */
final class SuccessorHasWhatItsLeaderPublished implements Invariant {

  private final Map<String, Long> publishedSeqNos = new HashMap<>();

  @Override
  public void observe(Observation observation, World world) {
    if (!(observation instanceof Observation.ClusterLogged(var before, var now))) {
      return;
    }
    for (IndexMetadata index : now.indices().values()) {
      boolean isNew = before.index(index.uuid()).isEmpty();
      if (isNew
          && Optional.ofNullable(index.follow()).flatMap(FollowRelation::replaces).isPresent()) {
        publishedSeqNos.put(index.uuid(), published(world));
      }
    }
    IndexMetadata former = before.indices().get(Indices.FOLLOWER);
    IndexMetadata successor = now.indices().get(Indices.FOLLOWER);
    if (former != null && successor != null && !former.uuid().equals(successor.uuid())) {
      check(successor, world);
    }
  }

  private void check(IndexMetadata successor, World world) {
    long held = world.logs().acceptedLog(new ShardId(successor.uuid(), 0)).lastSeqNo();
    long published = publishedSeqNos.getOrDefault(successor.uuid(), -1L);
    require(
        successor.shards().getFirst().primary().started() && held >= published,
        "%s replaces its follower with seq_nos up to %d, its leader had published %d",
        successor,
        held,
        published);
  }

  private static long published(World world) {
    return world.logs().partition(World.manifests(World.LEADER)).all().stream()
        .map(world.logs()::manifest)
        .reduce((a, b) -> a.isNewerThan(b) ? a : b)
        .map(Manifest::visibleSeqNo)
        .orElse(-1L);
  }
}
