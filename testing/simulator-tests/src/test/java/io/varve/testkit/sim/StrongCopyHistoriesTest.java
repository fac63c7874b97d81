package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.RerouteCommand;
import io.varve.cluster.ShardRouting;
import io.varve.control.command.ClusterCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A copy of a strongly consistent index starts without content, moves to another node, or fails and
 * is opened again at once under the same id, while clients write and read, and while the link
 * between it and its primary fails, so that records are unreplicated. It must hold what the primary
 * called replicated before it starts.
 */
class StrongCopyHistoriesTest {

  private static final long SECOND = 1_000_000;
  private static final int HISTORIES = Histories.inThisRun(30);
  private static final int CHANGES = 8;
  private static final List<String> INVARIANTS = List.of("replicatedIsHeldByAll", "neverUnRead");

  /** What happens to a replica. */
  enum Change {
    STARTS_COLD,
    MOVES,
    IS_OPENED_AGAIN
  }

  private static final class History {
    private final World world;
    private final Random random;
    private final Convergence convergence;
    private final Change change;
    private int changed;

    History(long seed, Change change, Set<Mutation> mutations) {
      this.change = change;
      random = new Random(seed * 0x9E3779B97F4A7C15L);
      world =
          new World(
              shape(random),
              random,
              mutations,
              INVARIANTS.stream().map(Invariants::named).toList());
      convergence = new Convergence(world);
      world.start();
      world.faults().heal();
    }

    private static WorldShape shape(Random random) {
      return Stream.generate(() -> WorldShape.draw(random).withStrongLeader())
          .filter(shape -> !shape.follower())
          .findFirst()
          .orElseThrow();
    }

    private void pass(long micros) {
      world.runUntil(world.queue().nowMicros() + micros);
    }

    /** Returns how many replicas were changed. */
    int run() {
      world.clients().plan(world.queue().nowMicros(), CHANGES * SECOND / 2);
      new StrongReaders(world).plan(world.queue().nowMicros(), CHANGES * SECOND / 2);
      for (int i = 0; i < CHANGES; i++) {
        pass(SECOND / 4 + random.nextInt((int) SECOND / 2));
        world.newestState().shard(World.LEADER).ifPresent(this::changeReplica);
      }
      for (int i = 0; i < 300 && !convergence.reached(); i++) {
        pass(SECOND / 10);
      }
      world.observe(new Observation.Quiet());
      assertThat(convergence.reached())
          .as("%s, %s, %s", convergence.lagging(), world.shape(), world.notes())
          .isTrue();
      return changed;
    }

    private void changeReplica(ShardRouting shard) {
      String primary = shard.primary().nodeId();
      shard.replicas().stream()
          .filter(CopyRouting::started)
          .findFirst()
          .filter(_ -> primary != null)
          .ifPresent(copy -> {
            changed++;
            String replica = String.valueOf(copy.nodeId());
            cut(replica, String.valueOf(primary));
            switch (change) {
              case STARTS_COLD -> loseDisk(world.node(replica));
              case MOVES -> move(replica);
              case IS_OPENED_AGAIN -> openAgain(world.node(replica), copy.copyId());
            }
          });
    }

    private void cut(String replica, String primary) {
      world.network().cut(replica, primary);
      world
          .queue()
          .after(random.nextInt((int) SECOND / 5), () -> world.network().heal(replica, primary));
    }

    private void loseDisk(SimNode node) {
      node.kill();
      node.loseDisk();
      world.queue().after(random.nextInt((int) SECOND / 5), node::start);
    }

    private static void openAgain(SimNode node, String copyId) {
      SimCopy open = node.copy(copyId);
      if (open != null) {
        node.reopen(open);
      }
    }

    private void move(String replica) {
      List<SimNode> nodes = new ArrayList<>();
      world.nodes().forEach(nodes::add);
      SimNode to = nodes.get(random.nextInt(nodes.size()));
      SimCoordinator leader = world.leader();
      if (leader != null) {
        leader.execute(
            new ClusterCommand.Reroute(
                List.of(
                    new RerouteCommand.Move(
                        world.newestState().index(World.LEADER.indexUuid()).orElseThrow().name(),
                        World.LEADER.number(),
                        replica,
                        to.nodeId())),
                false));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReplicaHoldsWhatWasCalledReplicatedBeforeItStarts(Change change) {
    int changed =
        LongStream.rangeClosed(1, HISTORIES)
            .mapToInt(seed -> new History(seed, change, Set.of()).run())
            .sum();
    System.out.println(change + ": " + changed + " changes of replicas");
    assertThat(changed).isGreaterThan(HISTORIES * CHANGES / 4);
  }

  @ParameterizedTest
  @EnumSource
  void aReplicaThatStartsWithoutAnAdmissionIsNoticed(Change change) {
    assertThat(LongStream.rangeClosed(1, HISTORIES).filter(seed -> isNoticed(seed, change)))
        .isNotEmpty();
  }

  private static boolean isNoticed(long seed, Change change) {
    try {
      new History(seed, change, Set.of(Mutation.START_WITHOUT_AN_ADMISSION)).run();
      return false;
    } catch (InvariantViolated e) {
      return INVARIANTS.contains(e.invariant());
    } catch (AssertionError e) {
      // The mutation made the history fail before an invariant could notice.
      return false;
    }
  }
}
