package io.varve.testkit.sim;

import io.varve.events.ShardId;

/** While a log lacks published operations, no primary appends to it and no copy shows anything. */
final class LogThatWentBackIsRefused implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    switch (observation) {
      case Observation.Landed(ShardId shard, long offset) ->
          require(!wentBack(shard, world), "something was appended at %d of %s", offset, shard);
      case Observation.Shown(SimCopy copy) ->
          require(!wentBack(copy.shard(), world), "%s shows up to %d", copy, copy.visibleSeqNo());
      default -> {}
    }
  }

  private static boolean wentBack(ShardId shard, World world) {
    return world.logs().partition(World.ops(shard)).wentBack();
  }
}
