package io.varve.testkit.sim;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.FollowerReplacement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Ends the replacements of followers that lost their leader's history: executes the commands of
 * production's {@link FollowerReplacement} on the leading coordinator, as production's {@code
 * FollowedClusters} does.
 */
final class SimReplacements {

  private static final long PAUSE_MICROS = 150_000;

  private final World world;

  /** By uuid of a replaced follower: when it may be deleted. */
  private final Map<String, Long> deletableMicros = new HashMap<>();

  SimReplacements(World world) {
    this.world = world;
  }

  void step(SimCoordinator leader) {
    ClusterState state = leader.state();
    if (world.mutated(Mutation.REPLACE_BEFORE_THE_SUCCESSOR_STARTS)) {
      state.indices().values().forEach(index -> swap(leader, index));
    }
    FollowerReplacement.due(state).forEach(leader::execute);
    List<ClusterCommand.EndReplacement> replaced = FollowerReplacement.replaced(state);
    long nowMicros = world.queue().nowMicros();
    for (ClusterCommand.EndReplacement one : replaced) {
      if (deletableMicros.computeIfAbsent(one.indexUuid(), _ -> nowMicros + PAUSE_MICROS)
          <= nowMicros) {
        leader.execute(one);
      }
    }
  }

  private static void swap(SimCoordinator leader, IndexMetadata successor) {
    Optional.ofNullable(successor.follow())
        .flatMap(FollowRelation::replaces)
        .ifPresent(follower ->
            leader.append(new ClusterEvent.FollowerReplaced(follower, successor.uuid())));
  }
}
