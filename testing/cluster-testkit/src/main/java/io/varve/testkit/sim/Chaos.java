package io.varve.testkit.sim;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RerouteCommand;
import io.varve.control.command.ClusterCommand;
import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Draws the faults of a history, injects them, and heals all of them at the end. */
final class Chaos {

  /** Longer than a copy takes to abandon its publisher and use the store. */
  private static final long LOST_OBJECTS_MICROS = 500_000;

  /** Longer than the leading coordinator waits for a silent node. */
  private static final long LOST_CLUSTER_TOPICS_MICROS = 1_200_000;

  private final World world;
  private final Random random;
  private final DataLossFaults disasters;

  Chaos(World world) {
    this.world = world;
    this.random = world.random();
    this.disasters = new DataLossFaults(world);
  }

  void plan(long withinMicros) {
    for (int i = 0; i < world.shape().moves(); i++) {
      world.queue().at(300_000 + (long) (random.nextDouble() * withinMicros), this::move);
    }
    // Without a segment store coordinators refuse to make an index search-only.
    boolean releases = world.shape().searchReplicas() > 0 && random.nextBoolean();
    if (releases && world.indices().hasStore(world.leaderShard())) {
      long at = 300_000 + (long) (random.nextDouble() * withinMicros / 2);
      world.queue().at(at, this::releaseWriters);
    }
    if (world.shape().followsARemote()) {
      for (int i = random.nextInt(6); i > 0; i--) {
        world
            .queue()
            .at(300_000 + (long) (random.nextDouble() * withinMicros), this::strikeTheFollower);
      }
    }
    if (world.shape().followsTheLeader() && random.nextInt(3) == 0) {
      world
          .queue()
          .at(300_000 + (long) (random.nextDouble() * withinMicros), this::forgetTheFollower);
    }
    double intensity = world.shape().intensity();
    if (intensity == 0) {
      return;
    }
    world
        .faults()
        .appendFaults(
            new SimulatedLog.Faults(
                rate(0.02, intensity),
                rate(0.02, intensity),
                rate(0.03, intensity),
                rate(0.01, intensity)));
    world.network().lossRate(rate(0.02, intensity));
    if (random.nextInt(4) == 0) {
      // No manifest follows the last one, so its loss is detectable.
      long at = world.clients().lastPlannedMicros() - random.nextInt(100_000);
      world.queue().at(at, this::manifestsUnavailable);
    }
    int faults = (int) Math.round(intensity * (2 + random.nextInt(9)));
    for (int i = 0; i < faults; i++) {
      long at = 300_000 + (long) (random.nextDouble() * withinMicros);
      world.queue().at(at, this::strike);
    }
    planLostTails(withinMicros);
  }

  /** Losses of the tail of a log that is written. */
  private void planLostTails(long withinMicros) {
    if (!world.shape().strong() || world.shape().follower()) {
      return;
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      long at = 300_000 + (long) (random.nextDouble() * withinMicros);
      world.queue().at(at, () -> disasters.tailIsLost(world.leaderShard(), duration()));
    }
  }

  private double rate(double upTo, double intensity) {
    return random.nextInt(3) == 0 ? 0 : random.nextDouble() * upTo * intensity;
  }

  private void strike() {
    switch (random.nextInt(16)) {
      case 0, 1 -> killNode();
      case 2 -> killCoordinator();
      case 3 -> freeze();
      case 4 -> cutFromTheLog();
      case 5 -> cutFromEachOther();
      case 6, 7 -> disasters.loseDisk(any(nodes()), duration());
      case 8 -> disasters.logGoesBack(any(world.shards()), duration());
      case 9 -> disasters.storeUnavailable(duration());
      case 10 -> disasters.loseObjects(LOST_OBJECTS_MICROS + duration());
      case 11 -> disasters.deleteIndex();
      case 12 -> manifestsUnavailable();
      case 13, 14 -> cutPrimaryFromTheClusterTopics();
      default -> logUnavailable();
    }
  }

  /** Relocates a copy. */
  private void move() {
    SimCoordinator leader = world.leader();
    if (leader == null) {
      return;
    }
    ShardId shard = any(world.shards());
    leader
        .state()
        .index(shard.indexUuid())
        .ifPresent(index -> {
          CopyRouting copy = any(index.shards().getFirst().copies());
          SimNode to = any(nodes());
          if (copy.nodeId() != null) {
            leader.execute(
                new ClusterCommand.Reroute(
                    List.of(
                        new RerouteCommand.Move(
                            index.name(), shard.number(), copy.nodeId(), to.nodeId())),
                    false));
          }
        });
  }

  /** Makes an index search-only for some time, during writes, which is the most difficult case. */
  private void releaseWriters() {
    world.note("release the writers");
    onLeader((leader, index) -> leader.execute(new ClusterCommand.BlockWriters(index.uuid())));
    world
        .queue()
        .after(
            60_000,
            () ->
                onLeader((leader, index) ->
                    leader.execute(
                        new ClusterCommand.ReleaseWriters(index.uuid(), index.settingsVersion()))));
    world.queue().after(120_000 + duration(), this::recallWriters);
  }

  private void recallWriters() {
    onLeader((leader, index) -> leader.execute(new ClusterCommand.RecallWriters(index.uuid(), 0)));
    SimCoordinator leader = world.leader();
    boolean done =
        leader != null
            && leader
                .state()
                .index(world.leaderShard().indexUuid())
                .filter(IndexMetadata::searchOnly)
                .isEmpty();
    if (!done) {
      world.queue().after(80_000, this::recallWriters);
    }
  }

  private void onLeader(BiConsumer<SimCoordinator, IndexMetadata> action) {
    SimCoordinator leader = world.leader();
    if (leader != null) {
      leader
          .state()
          .index(world.leaderShard().indexUuid())
          .ifPresent(index -> action.accept(leader, index));
    }
  }

  private void killNode() {
    kill(any(nodes()));
  }

  private void kill(SimNode node) {
    if (!node.process().isUp()) {
      return;
    }
    world.note("kill " + node.process());
    node.kill();
    world
        .queue()
        .after(
            duration(),
            () -> {
              if (!node.process().isUp()) {
                world.note("restart " + node.process());
                node.start();
              }
            });
  }

  private void killCoordinator() {
    SimCoordinator coordinator = any(world.coordinators());
    if (!coordinator.process().isUp()) {
      return;
    }
    world.note("kill " + coordinator.process());
    coordinator.kill();
    world
        .queue()
        .after(
            duration(),
            () -> {
              if (!coordinator.process().isUp()) {
                coordinator.start();
              }
            });
  }

  private void freeze() {
    SimProcess process = any(processes());
    long micros = duration();
    world.note("freeze " + process + " for " + micros / 1000 + " ms");
    process.freeze(micros);
  }

  private void cutFromTheLog() {
    cut(any(processes()).name(), Network.LOG);
  }

  private void cutPrimaryFromTheClusterTopics() {
    ShardId shard = any(world.shards());
    if (primaryOf(shard) != null) {
      cutFromTheClusterTopics(shard, LOST_CLUSTER_TOPICS_MICROS + duration());
    }
  }

  private @Nullable String primaryOf(ShardId shard) {
    return world.newestState().shard(shard).map(routing -> routing.primary().nodeId()).orElse(null);
  }

  /**
   * A primary is replaced, but its node and some of the coordinators do not receive this state:
   * writes reach the primary after the fence of its successor.
   */
  void cutFromTheClusterTopics(ShardId shard, long micros) {
    String primary = primaryOf(shard);
    SimCoordinator leader = world.leader();
    if (primary == null) {
      return;
    }
    world.note("the topics of the cluster are lost to the primary and its coordinators");
    cut(primary, Network.CLUSTER_TOPICS, micros);
    for (SimCoordinator coordinator : world.coordinators()) {
      if (coordinator != leader) {
        cut(coordinator.process().name(), Network.CLUSTER_TOPICS, micros);
      }
    }
  }

  private void strikeTheFollower() {
    SimNode puller = any(world.pullers().toList());
    switch (random.nextInt(6)) {
      case 0 -> world.remote().restoreOriginal();
      case 1 -> cut(puller.nodeId(), Network.REMOTE);
      case 2 -> kill(puller);
      default -> world.remote().restore();
    }
  }

  /** The leader's cluster removes the follower's lease while its pullers are down. */
  void forgetTheFollower() {
    SimCoordinator leader = world.leader();
    if (leader != null) {
      world.note("the follower is forgotten");
      world.pullers().forEach(this::kill);
      world.indices().forgetFollower(leader);
    }
  }

  private void cutFromEachOther() {
    cut(any(processes()).name(), any(processes()).name());
  }

  private void cut(String a, String b) {
    cut(a, b, duration());
  }

  private void cut(String a, String b, long micros) {
    world.note("cut " + a + " from " + b);
    world.network().cut(a, b);
    world.queue().after(micros, () -> world.network().heal(a, b));
  }

  private void logUnavailable() {
    long micros = random.nextInt(500_000);
    world.note("the log is unavailable for " + micros / 1000 + " ms");
    world.logs().partitions().forEach(partition -> partition.unavailableFor(micros));
  }

  private void manifestsUnavailable() {
    long micros = 200_000L + random.nextInt(800_000);
    world.note("the manifests can't be reached for " + micros / 1000 + " ms");
    for (ShardId shard : world.shards()) {
      world.logs().partition(World.manifests(shard)).unavailableFor(micros);
    }
  }

  private long duration() {
    return random.nextInt(3) == 0 ? random.nextInt(2_500_000) : random.nextInt(400_000);
  }

  void healAll() {
    world.note("heal");
    world.faults().heal();
    world.network().healAll();
    world.logs().partitions().forEach(SimulatedPartition::heal);
    disasters.healAll();
    if (world.shape().followsARemote()) {
      world.remote().heal();
    }
    for (SimNode node : world.nodes()) {
      if (!node.process().isUp()) {
        node.start();
      }
    }
    for (SimCoordinator coordinator : world.coordinators()) {
      if (!coordinator.process().isUp()) {
        coordinator.start();
      }
    }
  }

  private List<SimNode> nodes() {
    List<SimNode> all = new ArrayList<>();
    world.nodes().forEach(all::add);
    return all;
  }

  private List<SimProcess> processes() {
    List<SimProcess> all = new ArrayList<>();
    world.nodes().forEach(node -> all.add(node.process()));
    world.coordinators().forEach(coordinator -> all.add(coordinator.process()));
    return all;
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
