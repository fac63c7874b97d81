package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.Fork;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.control.command.ClusterCommand;
import io.varve.events.ShardId;
import io.varve.rpc.WriteItem;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A history in which a follower is promoted, its former leader goes on for a while, and then fails
 * back.
 *
 * <pre>
 *   clients write to the leader, which is followed
 *   the follower is promoted and gets writes of its own
 *   the leader is closed; its primary does not learn of that, and goes on writing
 *   in half of the histories, its node returns, whose folder has commits pinned for the follower
 *   another index takes the leader's place, while its processes are killed
 * </pre>
 */
final class FailbackHistory {

  private static final long SECOND = 1_000_000;
  private static final int MOST_PAUSE_MICROS = 25_000;

  final World world;
  private final long seed;
  private final Chaos chaos;
  private String zombie = "";
  private int values;

  FailbackHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    this.seed = seed;
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    WorldShape drawn = WorldShape.draw(random);
    boolean truncates = random.nextInt(3) == 0 || seed % 2 == 0;
    WorldShape shape = drawn.failingBack(truncates ? "auto" : "forever");
    world = new World(shape, random, mutations, invariants);
    chaos = new Chaos(world);
    world.start();
    world.clients().plan(0, SECOND);
  }

  private void pass(long micros) {
    try {
      world.runUntil(world.queue().nowMicros() + micros);
    } catch (InvariantViolated e) {
      throw new InvariantViolated(e, "seed " + seed + ", " + world.shape() + ", " + world.notes());
    }
  }

  private void await(String what, BooleanSupplier condition) {
    for (int i = 0; i < 1_500 && !condition.getAsBoolean(); i++) {
      pass(SECOND / 50);
    }
    assertThat(condition.getAsBoolean())
        .as(
            "%s; seed %s, %s, %s, %s, %s",
            what,
            seed,
            world.shape(),
            world.notes(),
            world.newestState().nodes().keySet(),
            index(World.FAILED_BACK))
        .isTrue();
  }

  private Optional<IndexMetadata> index(ShardId shard) {
    return world.newestState().index(shard.indexUuid());
  }

  private boolean isStarted(ShardId shard) {
    return world
        .newestState()
        .shard(shard)
        .map(ShardRouting::primary)
        .filter(CopyRouting::started)
        .isPresent();
  }

  private long held(ShardId shard) {
    return world.logs().acceptedLog(shard).lastSeqNo();
  }

  void run() {
    await("it follows", () -> isStarted(World.FOLLOWER) && held(World.FOLLOWER) > 2);
    pass(1 + world.random().nextInt((int) SECOND / 2));
    promote();
    await("clients have their answers", () -> world.clients().pending() == 0);
    writeFor(SECOND / 2, World.LEADER, primaryOf(World.LEADER));
    failBack();
    comeTogether();
  }

  private void promote() {
    await(
        "it is promoted",
        () -> {
          SimCoordinator leader = world.leader();
          if (leader != null) {
            leader.execute(new ClusterCommand.Promote(Indices.FOLLOWER));
          }
          return index(World.FOLLOWER).filter(index -> index.follow() == null).isPresent();
        });
    await("its fork is recorded", () -> fork().filter(f -> !f.shards().isEmpty()).isPresent());
  }

  private Optional<Fork> fork() {
    return index(World.FOLLOWER).map(IndexMetadata::fork);
  }

  /** Writes to the primary on that node for a while, whether or not it is still the primary. */
  private void writeFor(long micros, ShardId shard, @Nullable String nodeId) {
    if (nodeId == null || micros <= 0) {
      return;
    }
    long pause = 1L + world.random().nextInt(MOST_PAUSE_MICROS);
    world
        .queue()
        .after(
            pause,
            () -> {
              world.node(nodeId).primary(shard).ifPresent(this::write);
              writeFor(micros - pause, shard, nodeId);
            });
  }

  private @Nullable String primaryOf(ShardId shard) {
    return world
        .newestState()
        .shard(shard)
        .map(ShardRouting::primary)
        .map(CopyRouting::nodeId)
        .orElse(null);
  }

  private void write(PrimaryActor primary) {
    byte[] source = "{\"v\":\"w%d\"}".formatted(values++).getBytes(StandardCharsets.UTF_8);
    String id = "d" + world.random().nextInt(8);
    primary.writes().write(List.of(WriteItem.index(id, source)), primary.term(), _ -> {});
  }

  private void failBack() {
    zombie = Objects.requireNonNull(primaryOf(World.LEADER));
    world.network().cut(zombie, Network.CLUSTER_TOPICS);
    writeFor(8 * SECOND, World.LEADER, zombie);
    await(
        "it is closed",
        () -> {
          SimCoordinator leader = world.leader();
          if (leader != null) {
            leader.execute(new ClusterCommand.CloseIndices(List.of(Indices.LEADER)));
          }
          return index(World.LEADER).filter(IndexMetadata::closed).isPresent();
        });
    if (seed % 2 == 0) {
      pass(SECOND / 4);
      world.network().heal(zombie, Network.CLUSTER_TOPICS);
      await("its node returns", () -> world.newestState().nodes().containsKey(zombie));
      pass(SECOND / 2);
    }
    await(
        "it fails back",
        () -> {
          requestFailback();
          return index(World.FAILED_BACK).isPresent();
        });
    for (int strike = 0; strike < 4; strike++) {
      writeFor(SECOND / 2, World.FOLLOWER, primaryOf(World.FOLLOWER));
      pass(SECOND / 5);
      strike();
    }
  }

  private void requestFailback() {
    SimCoordinator leader = world.leader();
    IndexMetadata promoted = index(World.FOLLOWER).orElseThrow();
    if (leader != null) {
      leader.execute(
          new ClusterCommand.FailBack(
              Indices.LEADER,
              new ClusterCommand.Follow(Indices.REMOTE, Indices.FOLLOWER, promoted.uuid()),
              promoted.settings(),
              promoted.mapping(),
              Objects.requireNonNull(promoted.fork())),
          World.FAILED_BACK.indexUuid());
    }
  }

  /** Kills the node of the new index's primary, or a puller. */
  private void strike() {
    String nodeId =
        Optional.ofNullable(primaryOf(World.FAILED_BACK))
            .filter(node -> !node.equals(zombie) && world.random().nextInt(3) > 0)
            .orElse("f" + (1 + world.random().nextInt(2)));
    SimNode node = world.node(nodeId);
    if (node.process().isUp()) {
      world.note("kill " + node.process());
      node.kill();
      world.restartLater(node.process(), node::start);
    }
  }

  private void comeTogether() {
    world.faults().heal();
    for (int i = 0; i < 150 && !isSwapped(); i++) {
      pass(SECOND / 50);
    }
    // A primary that was assigned to the node of the former one waits for that node.
    chaos.healAll();
    await("the new index has the leader's name", this::isSwapped);
    await(
        "it has all operations of the promoted index",
        () ->
            held(World.FAILED_BACK) == held(World.FOLLOWER)
                && world.routedCopies(World.FAILED_BACK).stream()
                    .allMatch(copy -> copy.visibleSeqNo() == held(World.FAILED_BACK)));
  }

  private boolean isSwapped() {
    IndexMetadata named = world.newestState().indices().get(Indices.LEADER);
    return named != null
        && named.uuid().equals(World.FAILED_BACK.indexUuid())
        && index(World.LEADER).isEmpty();
  }

  boolean says(String words) {
    return world.notes().stream().anyMatch(note -> note.contains(words));
  }
}
