package io.varve.testkit.sim;

import io.varve.cluster.NodeInfo;
import io.varve.control.command.ClusterCommand;
import io.varve.events.Feature;
import io.varve.events.FeatureLevels;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A history in which a cluster of a former release is upgraded one process after the other, while
 * an operator requests the newest feature level again and again. Some processes are taken back to
 * the former release, and upgraded again. Links fail and processes are killed. The level rises when
 * all processes are new.
 *
 * <p>Of a release without feature levels, a user requests a strongly consistent index; it is
 * created once the level is raised. Of a release with followers, an index follows another one
 * throughout, and clients write to the latter.
 */
final class UpgradeHistory {

  private static final long SECOND = 1_000_000;
  private static final long PATIENCE_MICROS = 60 * SECOND;

  /** The release that the cluster is upgraded from. */
  enum Former {
    WITHOUT_LEVELS,
    WITH_FOLLOWERS;

    private FeatureLevels levels() {
      return switch (this) {
        case WITHOUT_LEVELS -> FeatureLevels.UNSAID;
        case WITH_FOLLOWERS ->
            new FeatureLevels(FeatureLevels.FIRST, Feature.FOLLOWER_LIFECYCLE.since());
      };
    }

    private WorldShape shape(Random random) {
      return switch (this) {
        case WITHOUT_LEVELS ->
            Stream.generate(() -> WorldShape.draw(random).withStrongLeader())
                .filter(shape -> !shape.follower())
                .findFirst()
                .orElseThrow();
        case WITH_FOLLOWERS -> {
          WorldShape shape = WorldShape.draw(random);
          yield random.nextBoolean() ? shape.followed() : shape.followingARemote();
        }
      };
    }
  }

  final World world;
  private final Former former;
  private final Random random;
  private final Chaos chaos;
  private final Convergence convergence;
  private final HistoryTime time;

  /** Whether nobody is about to take a process back. */
  private boolean mayRaise = true;

  private long followedBeforeTheRaise = -1;

  UpgradeHistory(Former former, long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    this.former = former;
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    world = new World(former.shape(random), random, mutations, invariants);
    chaos = new Chaos(world);
    convergence = new Convergence(world);
    time = new HistoryTime(world, convergence);
  }

  /** A process of the cluster, which can be replaced by one of another release. */
  private record Replaceable(SimProcess process, Runnable kill, Runnable start) {}

  void run() {
    processes().forEach(one -> one.process().levels(former.levels()));
    world.start();
    // Otherwise, a coordinator of this release may form the cluster, at a level of its own.
    time.await("the cluster is formed", PATIENCE_MICROS, () -> world.newestState().version() > 0);
    chaos.plan(3 * SECOND);
    if (former == Former.WITH_FOLLOWERS) {
      world.clients().plan(world.queue().nowMicros(), 3 * SECOND);
    }
    world.queue().at(0, this::requestLevel);
    List<Replaceable> processes = processes();
    Collections.shuffle(processes, random);
    long begin = SECOND / 2;
    long pause = 2 * SECOND / processes.size();
    for (int i = 0; i < processes.size(); i++) {
      Replaceable one = processes.get(i);
      world.queue().at(begin + i * pause, () -> replace(one, FeatureLevels.OF_THIS_RELEASE));
      boolean isLast = i == processes.size() - 1;
      if (!isLast && random.nextInt(3) == 0) {
        world.queue().at(begin + i * pause + pause / 2, () -> replace(one, former.levels()));
        world.queue().at(3 * SECOND, () -> replace(one, FeatureLevels.OF_THIS_RELEASE));
      }
    }
    world.queue().at(begin + (processes.size() - 1) * pause, () -> mayRaise = false);
    world.queue().at(3 * SECOND + 1, () -> mayRaise = true);
    time.pass(4 * SECOND);
    chaos.healAll();
    time.await("the level is raised", PATIENCE_MICROS, this::isRaised);
    world.clients().plan(world.queue().nowMicros(), SECOND);
    time.pass(SECOND);
    time.await("all come together", PATIENCE_MICROS, convergence::reached);
    world.observe(new Observation.Quiet());
  }

  boolean isRaised() {
    return world.newestState().featureLevel() == FeatureLevels.NEWEST;
  }

  /** The last seq_no that the follower had at the former level; -1: none. */
  long followedBeforeTheRaise() {
    return followedBeforeTheRaise;
  }

  private List<Replaceable> processes() {
    List<Replaceable> processes = new ArrayList<>();
    world
        .coordinators()
        .forEach(one -> processes.add(new Replaceable(one.process(), one::kill, one::start)));
    world
        .nodes()
        .forEach(one -> processes.add(new Replaceable(one.process(), one::kill, one::start)));
    return processes;
  }

  private void replace(Replaceable one, FeatureLevels levels) {
    world.note(one.process() + " is replaced by one of " + levels);
    if (one.process().isUp()) {
      one.kill().run();
    }
    one.process().levels(levels);
    one.start().run();
  }

  /** Refused while a member does not support the level. */
  private void requestLevel() {
    if (isRaised()) {
      return;
    }
    followedBeforeTheRaise = world.logs().acceptedLog(World.FOLLOWER).lastSeqNo();
    if (mayRaise && noFormerProcessIsAway()) {
      ClusterCommand command = new ClusterCommand.RaiseFeatureLevel(FeatureLevels.NEWEST);
      world.coordinators().stream()
          .filter(SimCoordinator::leads)
          .forEach(leader -> leader.execute(command));
    }
    world.queue().after(SECOND / 50, this::requestLevel);
  }

  /**
   * An operator must not raise the level while a process that does not support it is away: no
   * member refuses it then, and the process does not start any more.
   */
  private boolean noFormerProcessIsAway() {
    Set<String> members =
        world.newestState().nodes().values().stream()
            .map(NodeInfo::incarnation)
            .collect(Collectors.toSet());
    return processes().stream()
        .map(Replaceable::process)
        .filter(process -> process.levels().equals(former.levels()))
        .allMatch(process -> process.isUp() && members.contains(process.toString()));
  }
}
