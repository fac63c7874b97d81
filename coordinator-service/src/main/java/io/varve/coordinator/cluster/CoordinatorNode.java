package io.varve.coordinator.cluster;

import io.varve.cluster.ClusterMember;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.HeartbeatPublisher;
import io.varve.cluster.NodeIdentity;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Topics;
import io.varve.control.AddressProof;
import io.varve.control.ChangeAcknowledgement;
import io.varve.control.ClusterLeader;
import io.varve.control.FaultDetection;
import io.varve.control.IndexTopics;
import io.varve.control.LeaderElection;
import io.varve.control.LeaderErrors;
import io.varve.control.LeaderThread;
import io.varve.control.LocalCommands;
import io.varve.control.MemberChecks;
import io.varve.control.Membership;
import io.varve.control.NodeTracker;
import io.varve.control.ProgressTracker;
import io.varve.control.allocation.Reconciler;
import io.varve.control.allocation.StaleCopies;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.Decisions;
import io.varve.control.command.Ids;
import io.varve.control.command.IndexCreation;
import io.varve.control.command.LeaseDecisions;
import io.varve.control.command.NewIndex;
import io.varve.events.FeatureLevels;
import io.varve.events.NodeHeartbeat;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.process.Sleeper;
import io.varve.process.Ticker;
import io.varve.rpc.ClusterCalls;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A coordinator as a member of its cluster. It reads the cluster log, sends heartbeats, leads while
 * it is elected, and otherwise forwards commands to the leader.
 *
 * <p>It starts even if the log is unavailable. Until topics can be created and read, each command
 * fails with 503.
 */
public final class CoordinatorNode implements ClusterService, ClusterMember, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CoordinatorNode.class);
  private static final long STAGGER_MILLIS = 1_000;
  private static final long STALE_EVERY_MILLIS = 30_000;

  /**
   * The clocks of a coordinator.
   *
   * @param wall the clock for timestamps of events and heartbeats
   * @param ticker the clock for timeouts
   */
  public record Clocks(InstantSource wall, Ticker ticker) {}

  /**
   * How other processes of the cluster are reached.
   *
   * @param addresses which heartbeats name the right address
   */
  public record Others(HttpClient http, AddressProof addresses) {}

  private final CoordinatorSettings settings;
  private final MessageLog log;
  private final Topics topics;
  private final Clocks clocks;
  private final NodeIdentity identity;
  private final PartitionLog clusterLog;
  private final ClusterView view;
  private final LogStart logStart;
  private final NodeTracker nodes;
  private final ProgressTracker progress;
  private final StaleCopies stale;
  private final LeaseDecisions leases;
  private final MemberChecks checks;
  private final ClusterLeader leader;
  private final CommandRouter commands;
  private final DisconnectReports disconnects;
  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private final OwnHeartbeats heartbeats;
  private final CompletableFuture<Void> started = new CompletableFuture<>();
  private volatile String lostReason = "";

  public CoordinatorNode(
      CoordinatorSettings settings, MessageLog log, Topics topics, Others others, Clocks clocks)
      throws IOException {
    this(settings, log, topics, others, clocks, FeatureLevels.OF_THIS_RELEASE);
  }

  CoordinatorNode(
      CoordinatorSettings settings,
      MessageLog log,
      Topics topics,
      Others others,
      Clocks clocks,
      FeatureLevels supported)
      throws IOException {
    this.settings = settings;
    this.log = log;
    this.topics = topics;
    this.clocks = clocks;
    this.identity =
        NodeIdentity.open(settings.data(), settings.nodeName(), Set.of(NodeInfo.COORDINATOR))
            .with(settings.identity().attributes())
            .at(supported);
    this.clusterLog = log.open(topics.clusterLog(), 0);
    this.view = new ClusterView(clusterLog, supported, this::lost);
    this.logStart = new LogStart(log, topics, () -> !lostReason.isEmpty());
    InstantSource clock = clocks.wall();
    LongSupplier ticks = () -> TimeUnit.NANOSECONDS.toMillis(clocks.ticker().nanos());
    this.nodes =
        new NodeTracker(
            log,
            topics,
            ticks,
            new NodeTracker.Own(
                identity.nodeId(), identity.incarnation(), settings.heartbeatMillis()),
            blocking,
            others.addresses());
    this.progress = new ProgressTracker(log, topics, ticks, blocking);
    this.stale = new StaleCopies(progress::of, STALE_EVERY_MILLIS);
    this.leases = new LeaseDecisions(clock::millis);
    this.checks =
        new MemberChecks(
            new FaultDetection(settings.faults().limits()),
            new SocketProbe(settings.faults().probeTimeoutMillis(), blocking, Sleeper.SYSTEM));
    this.leader =
        new ClusterLeader(
            new ClusterLeader.Identity(
                identity.nodeId(),
                settings.clusterName(),
                Ids::next,
                identity.featureLevels().max()),
            policies(),
            clusterLog,
            view,
            nodes,
            new LeaderThread(ticks, blocking));
    this.heartbeats = new OwnHeartbeats(leader::leadingTerm);
    IndexTopics indexTopics = IndexTopics.of(log, topics, blocking);
    LocalCommands local =
        new LocalCommands(
            leader,
            new Decisions(
                new IndexCreation(new NewIndex(Ids::next, clock::millis)),
                Ids::next,
                nodes::featureLevels,
                leases),
            view,
            indexTopics,
            Ids::next,
            clocks.ticker());
    leader.onTerm(indexTopics::deleteLeft);
    this.commands =
        new CommandRouter(
            identity.nodeId(),
            view,
            leader,
            local,
            new CommandSender(others.http()),
            clocks.ticker()::nanos);
    this.disconnects =
        new DisconnectReports(
            view::current,
            DisconnectReports.Leader.of(leader, commands),
            others.http(),
            blocking,
            clocks.ticker());
  }

  private ClusterLeader.Policies policies() {
    return new ClusterLeader.Policies(
        new LeaderElection(identity.nodeId(), settings.leaderTimeoutMillis(), STAGGER_MILLIS),
        new Membership(settings.nodeTimeoutMillis(), settings.faults().refusedTimeoutMillis()),
        checks,
        new Reconciler(Ids::next),
        stale,
        leases);
  }

  /**
   * Returns immediately; {@link #started} completes when the cluster log was read.
   *
   * @param url the address of this coordinator's endpoints
   */
  public void start(String url) {
    heartbeats.through(
        new HeartbeatPublisher(
            log,
            topics,
            identity,
            url,
            settings.data(),
            clocks.wall(),
            reason -> LOG.debug("heartbeat was not sent: {}", reason)));
    blocking.execute(this::startWhenPossible);
  }

  /**
   * Stops the heartbeats and the leadership, so that another coordinator takes over, because this
   * coordinator cannot work without a view of the cluster.
   */
  private void lost(String reason) {
    LOG.error("can't read the cluster log, so this coordinator stops its heartbeats: {}", reason);
    lostReason = reason;
    heartbeats.close();
    leader.close();
  }

  @Override
  public NodeIdentity identity() {
    return identity;
  }

  @Override
  public String lostReason() {
    return lostReason;
  }

  /** Whether any heartbeat arrived within the node timeout. */
  public boolean hearsTheLog() {
    return nodes.silentMillis() <= settings.nodeTimeoutMillis();
  }

  /**
   * Returns a future that completes when this coordinator has read the cluster log up to the end
   * that the log had at start-up, and has joined the other coordinators.
   */
  public CompletableFuture<Void> started() {
    return started;
  }

  /**
   * Whether this coordinator may serve requests of clients: it has started, and is a member or the
   * only coordinator, see {@link ChangeAcknowledgement#mayServe}.
   */
  public boolean mayServe() {
    return started.isDone()
        && ChangeAcknowledgement.mayServe(
            view.current(), identity.nodeId(), identity.incarnation());
  }

  private void startWhenPossible() {
    try {
      logStart.createTopics();
      view.start();
      logStart.retried("subscribe to progress", progress::start);
      logStart.retried("subscribe to heartbeats", nodes::start);
      logStart.awaitEnd(clusterLog, view);
      heartbeats.start(settings.heartbeatMillis());
      leader.start();
      logStart.awaitJoin(view, identity);
      started.complete(null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.debug("closed before the start was complete");
    } catch (RuntimeException e) {
      LOG.error("this coordinator failed to start", e);
      started.completeExceptionally(e);
    }
  }

  @Override
  public ClusterState state() {
    return view.current();
  }

  @Override
  public ClusterView view() {
    return view;
  }

  @Override
  public String localNodeId() {
    return identity.nodeId();
  }

  @Override
  public NodeTracker nodes() {
    return nodes;
  }

  @Override
  public ProgressTracker progress() {
    return progress;
  }

  /** The last heartbeats of the nodes whose heartbeat arrived within the node timeout. */
  public List<NodeHeartbeat> beating() {
    return nodes.beating(settings.nodeTimeoutMillis());
  }

  /** Returns this coordinator's own heartbeat, as of now. */
  public NodeHeartbeat heartbeat() {
    return heartbeats.current();
  }

  public String localNodeName() {
    return identity.name();
  }

  /** The number of copies that this coordinator has failed because they lagged too far behind. */
  public long copiesGivenUp() {
    return stale.count();
  }

  /** The counts of suspected and removed members while this coordinator leads. */
  public MemberChecks checks() {
    return checks;
  }

  /** The connection of a request to this URL of a node was refused or broke. Does not block. */
  public void disconnected(String url) {
    disconnects.disconnected(url);
  }

  /** Another coordinator reports a member. Throws 421 if this one doesn't lead. */
  void disconnected(ClusterCalls.NodeDisconnected report) {
    if (!leader.isLeading()) {
      throw LeaderErrors.notLeading();
    }
    leader.disconnected(report.nodeId(), report.incarnation());
  }

  public boolean isLeading() {
    return leader.isLeading();
  }

  /** The term in which this coordinator leads and makes progress; 0 for none. */
  public long leadingTerm() {
    return leader.leadingTerm();
  }

  /**
   * Returns the leader's address as far as this coordinator knows it; empty if it leads itself or
   * knows no leader.
   */
  public Optional<String> leaderUrl() {
    return commands.leaderUrl();
  }

  /** Executes the command here, or throws 421. */
  public long executeLocally(ClusterCommand command, long timeoutMillis)
      throws InterruptedException {
    return commands.executeLocally(command, Duration.ofMillis(timeoutMillis));
  }

  /**
   * Executes the command of a data node here if the node may send it; throws 421 if this
   * coordinator does not lead.
   */
  long executeLocallyFor(String nodeId, ClusterCommand command, long timeoutMillis)
      throws InterruptedException {
    return commands.executeLocallyFor(nodeId, command, Duration.ofMillis(timeoutMillis));
  }

  @Override
  public long execute(ClusterCommand command, long timeoutMillis) {
    return commands.execute(command, timeoutMillis);
  }

  /**
   * Resigns permanently, so that another coordinator leads while this one still answers its
   * requests, which may need a leader. Also gives up its role as a coordinator, so that no change
   * waits for it. Does not block.
   */
  public void resign() {
    leader.close();
    heartbeats.giveUpRoles();
  }

  @Override
  public void close() {
    logStart.close();
    heartbeats.close();
    leader.close();
    nodes.close();
    progress.close();
    view.close();
    blocking.shutdownNow();
  }
}
