package io.varve.testkit.sim;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.RemoteCluster;
import io.varve.control.ChangeAcknowledgement;
import io.varve.control.ClusterLeader;
import io.varve.control.FaultDetection;
import io.varve.control.LeaderElection;
import io.varve.control.MemberChecks;
import io.varve.control.Membership;
import io.varve.control.NodeSigns;
import io.varve.control.NodeTracker;
import io.varve.control.allocation.Reconciler;
import io.varve.control.allocation.StaleCopies;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.Decision;
import io.varve.control.command.Decisions;
import io.varve.control.command.IndexCreation;
import io.varve.control.command.LeaseDecisions;
import io.varve.control.command.NewIndex;
import io.varve.events.ShardId;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.LeaseRenewal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A coordinator: production's {@link ClusterView}, {@link NodeTracker}, {@link Decisions} and
 * {@link ClusterLeader} in virtual time, started in the order of production's {@code
 * CoordinatorNode}. Its process can be killed and started again.
 */
final class SimCoordinator {

  // By the clock of SimLoop.
  private static final long NODE_TIMEOUT_MILLIS = 4_500;
  static final long NODE_TIMEOUT_MICROS = NODE_TIMEOUT_MILLIS * 1_000 / SimLoop.SPEED;
  private static final long LEADER_TIMEOUT_MILLIS = 4_000;
  private static final long LEADER_STAGGER_MILLIS = 1_500;
  private static final long STALE_EVERY_MILLIS = 30_000;
  private static final long HEARTBEAT_MILLIS = SimHeartbeats.MEAN_MICROS / 1_000 * SimLoop.SPEED;
  private static final long SILENCE_MILLIS = 2 * HEARTBEAT_MILLIS;
  private static final long PROBE_INTERVAL_MILLIS = 400;

  /** How often it looks whether it has read the cluster log far enough. */
  private static final int PATIENCE = 50;

  private final World world;
  private final SimProcess process;
  private final SimHeartbeats heartbeats;
  private Incarnation incarnation;

  SimCoordinator(World world, String nodeId) {
    this.world = world;
    this.process = new SimProcess(nodeId, world.queue());
    this.heartbeats = new SimHeartbeats(world, process, Set.of(NodeInfo.COORDINATOR));
    this.incarnation = new Incarnation();
  }

  /** The state in memory of one process. */
  private final class Incarnation {
    boolean started;
    final SimLoop loop = new SimLoop(world, process);
    final PartitionLog log = openLog();
    final ClusterView view =
        new ClusterView(
            log, process.levels(), this::lost, task -> process.after(World.PAUSE_MICROS, task));
    final NodeTracker nodes =
        new NodeTracker(
            new SimMessageLog(world, process),
            SimHeartbeats.TOPICS,
            loop::nowMillis,
            new NodeTracker.Own(process.name(), process.toString(), HEARTBEAT_MILLIS),
            loop.blocking());
    final LeaseDecisions leases = new LeaseDecisions(world.queue()::nowMillis);
    final Decisions decisions =
        new Decisions(
            new IndexCreation(new NewIndex(world::newId, world.queue()::nowMillis)),
            world::newId,
            nodes::featureLevels,
            leases);
    final ClusterLeader leader =
        new ClusterLeader(
            new ClusterLeader.Identity(
                process.name(), "simulated", world::newId, process.levels().max()),
            new ClusterLeader.Policies(
                new LeaderElection(process.name(), LEADER_TIMEOUT_MILLIS, LEADER_STAGGER_MILLIS),
                new Membership(NODE_TIMEOUT_MILLIS, SILENCE_MILLIS),
                new MemberChecks(
                    new FaultDetection(
                        new FaultDetection.Limits(SILENCE_MILLIS, PROBE_INTERVAL_MILLIS)),
                    new SimProbe(world, process)),
                new Reconciler(world::newId),
                new StaleCopies(_ -> Optional.empty(), STALE_EVERY_MILLIS),
                leases),
            new JudgedSilence(log, world, process),
            view,
            signs(),
            loop);

    private NodeSigns signs() {
      return world.mutated(Mutation.COUNT_TIME_WITHOUT_THE_LOG)
          ? new CarelessSigns(nodes, loop::nowMillis)
          : nodes;
    }

    private PartitionLog openLog() {
      PartitionLog opened = world.open(World.CLUSTER, process, "c-" + process);
      return CarelessClusterLog.of(opened, world, SimCoordinator.this::state);
    }

    void start() {
      view.start();
      var _ = view.listen(world::routed);
      followHeartbeats();
    }

    private void followHeartbeats() {
      try {
        nodes.start();
        leadFrom(log.endOffset());
      } catch (LogException e) {
        process.after(World.PAUSE_MICROS, this::followHeartbeats);
      }
    }

    private void leadFrom(long endOffset) {
      if (view.position().current() < endOffset) {
        process.after(World.PAUSE_MICROS, () -> leadFrom(endOffset));
        return;
      }
      heartbeats.start(leader::leadingTerm);
      leader.start();
      serveWhenJoined();
    }

    private void serveWhenJoined() {
      started = mayServe();
      if (!started) {
        process.after(World.PAUSE_MICROS / 10, this::serveWhenJoined);
      }
    }

    private boolean mayServe() {
      return world.mutated(Mutation.SERVE_BEFORE_THE_JOIN)
          || ChangeAcknowledgement.mayServe(view.current(), process.name(), process.toString());
    }

    private void awaitPosition(long offset, int attempts, Runnable reached, Runnable unknown) {
      if (view.position().current() >= offset) {
        reached.run();
      } else if (attempts == 0) {
        unknown.run();
      } else {
        process.after(
            World.PAUSE_MICROS / 10, () -> awaitPosition(offset, attempts - 1, reached, unknown));
      }
    }

    private void lost(String reason) {
      world.requireUnreachableLog(process, reason);
      kill();
      world.restartLater(process, SimCoordinator.this::start);
    }
  }

  SimProcess process() {
    return process;
  }

  ClusterState state() {
    return incarnation.view.current();
  }

  /** Whether it is up and serves requests of clients. */
  boolean serves() {
    return process.isUp() && incarnation.started && incarnation.mayServe();
  }

  /**
   * Calls {@code reached} when this coordinator has read what the cluster log holds now, and {@code
   * unknown} if the log can't be asked or that takes too long. The question itself takes no time.
   */
  void awaitCurrentState(Runnable reached, Runnable unknown) {
    try {
      incarnation.awaitPosition(incarnation.log.endOffset(), PATIENCE, reached, unknown);
    } catch (LogException e) {
      unknown.run();
    }
  }

  boolean leads() {
    return process.isUp() && incarnation.leader.isLeading();
  }

  void start() {
    process.start();
    incarnation = new Incarnation();
    incarnation.start();
  }

  void kill() {
    process.kill();
  }

  void execute(ClusterCommand command) {
    execute(command, "");
  }

  /**
   * Executes a command if this coordinator leads. The caller must repeat a command that must be
   * executed.
   *
   * @param uuid of the index that the command creates
   */
  void execute(ClusterCommand command, String uuid) {
    Incarnation now = incarnation;
    var _ =
        now.leader
            .submit(state -> decide(state, command, uuid))
            .whenComplete((version, error) -> {
              Throwable cause =
                  error == null || error.getCause() == null ? error : error.getCause();
              if (cause != null && !(cause instanceof ApiException)) {
                // A future does not report exceptions of its callbacks.
                world
                    .queue()
                    .after(
                        0,
                        () -> {
                          throw new IllegalStateException(command + " failed", cause);
                        });
              }
            });
  }

  /**
   * Executes a command if this coordinator leads, and replies with the version that contains it.
   * There is no reply to a command that is refused.
   */
  void execute(ClusterCommand command, Consumer<Long> reply) {
    var _ = incarnation.leader.submit(state -> decide(state, command, "")).thenAccept(reply);
  }

  private Decision decide(ClusterState state, ClusterCommand command, String uuid) {
    if (world.mutated(Mutation.CREATE_INDICES_OF_A_HIGHER_LEVEL)
        && command instanceof ClusterCommand.CreateIndex creation) {
      return withoutCheckOfItsLevel(state, creation, uuid);
    }
    if (world.mutated(Mutation.ACCEPT_REPORTS_OF_AN_EARLIER_MEMBERSHIP)
        && command instanceof ClusterCommand.CopyStarted(ClusterCalls.CopyStarted news)) {
      return incarnation.decisions.decide(state, provenNow(state, news), uuid);
    }
    return command instanceof ClusterCommand.CopyFailed(ClusterCalls.CopyFailed news)
            && world.mutated(Mutation.GIVE_UP_EVERY_FAILED_COPY)
        ? Decision.of(new ClusterEvent.CopyUnassigned(news.shard(), news.copyId(), news.reason()))
        : incarnation.decisions.decide(state, command, uuid);
  }

  private static ClusterCommand provenNow(ClusterState state, ClusterCalls.CopyStarted news) {
    return new ClusterCommand.CopyStarted(
        new ClusterCalls.CopyStarted(
            news.shard(),
            news.copyId(),
            news.incarnation(),
            news.term(),
            news.fork(),
            news.admittedIn(),
            state.version()));
  }

  private Decision withoutCheckOfItsLevel(
      ClusterState state, ClusterCommand.CreateIndex creation, String uuid) {
    Map<String, @Nullable String> settings = new HashMap<>(creation.settings());
    settings.remove(IndexSettings.CONSISTENCY);
    Decision decided =
        incarnation.decisions.decide(
            state,
            new ClusterCommand.CreateIndex(
                creation.name(), settings, creation.mapping(), creation.follow()),
            uuid);
    return decided instanceof Decision.Events(List<ClusterEvent> events)
            && events.getFirst() instanceof ClusterEvent.IndexCreated(IndexMetadata index)
        ? Decision.of(
            new ClusterEvent.IndexCreated(
                index.withSettings(creation.settings(), index.settingsVersion())))
        : decided;
  }

  /** Appends an event that production would not decide now, if this coordinator leads. */
  void append(ClusterEvent event) {
    var _ = incarnation.leader.submit(_ -> new Decision.Events(List.of(event)));
  }

  /** A follower adds or renews its lease. There is no answer unless this coordinator leads. */
  void renewLease(LeaseRenewal request, Consumer<RemoteCluster.Lease> reply) {
    Incarnation now = incarnation;
    var _ =
        now.leader
            .submit(
                state -> now.decisions.decide(state, new ClusterCommand.RenewLease(request), ""))
            .whenComplete((version, error) -> {
              Throwable cause =
                  error == null || error.getCause() == null ? error : error.getCause();
              if (cause == null) {
                answerAt(version, request, reply);
              } else if (cause instanceof ApiException refused
                  && refused.error().type().equals(RemoteCluster.NO_LEASE)) {
                reply.accept(LeaseAnswers.refused(refused.error()));
              }
            });
  }

  /** Answers once this coordinator has read the version in which the renewal was carried out. */
  private void answerAt(long version, LeaseRenewal request, Consumer<RemoteCluster.Lease> reply) {
    if (state().version() >= version) {
      reply.accept(LeaseAnswers.done(state(), request));
    } else {
      process.after(World.PAUSE_MICROS / 10, () -> answerAt(version, request, reply));
    }
  }

  /** The copies that are started in this coordinator's view. */
  Set<String> startedCopies(ShardId shard) {
    return state().shard(shard).stream()
        .flatMap(s -> s.writeCopies().stream())
        .filter(CopyRouting::started)
        .map(CopyRouting::copyId)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
