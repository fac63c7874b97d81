package io.varve.testkit.sim;

import io.varve.cluster.NodeInfo;
import io.varve.control.command.ClusterCommand;
import io.varve.events.FeatureLevels;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A history in which a cluster of the former release is upgraded one process after the other, while
 * a user requests a strongly consistent index, and an operator requests the newest feature level
 * again and again. Some processes are taken back to the former release, and upgraded again. Links
 * fail and processes are killed. The level rises when all processes are new; then the index is
 * created.
 */
final class UpgradeHistory {

  private static final long SECOND = 1_000_000;
  private static final long PATIENCE_MICROS = 60 * SECOND;

  /** The levels of the release before this one, which announces none. */
  private static final FeatureLevels FORMER = FeatureLevels.UNSAID;

  final World world;
  private final Random random;
  private final Chaos chaos;
  private final Convergence convergence;
  private final HistoryTime time;

  /** Whether nobody is about to take a process back. */
  private boolean mayRaise = true;

  UpgradeHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    world = new World(shape(random), random, mutations, invariants);
    chaos = new Chaos(world);
    convergence = new Convergence(world);
    time = new HistoryTime(world, convergence);
  }

  private static WorldShape shape(Random random) {
    return Stream.generate(() -> WorldShape.draw(random).withStrongLeader())
        .filter(shape -> !shape.follower())
        .findFirst()
        .orElseThrow();
  }

  /** A process of the cluster, which can be replaced by one of another release. */
  private record Replaceable(SimProcess process, Runnable kill, Runnable start) {}

  void run() {
    processes().forEach(one -> one.process().levels(FORMER));
    world.start();
    // Otherwise, a coordinator of this release may form the cluster, at a level of its own.
    time.await("the cluster is formed", PATIENCE_MICROS, () -> world.newestState().version() > 0);
    chaos.plan(3 * SECOND);
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
        world.queue().at(begin + i * pause + pause / 2, () -> replace(one, FORMER));
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
        .filter(process -> process.levels().equals(FORMER))
        .allMatch(process -> process.isUp() && members.contains(process.toString()));
  }
}
