package io.varve.coordinator.cluster;

import io.varve.cluster.AliasNames;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.RetentionLease;
import io.varve.cluster.Topics;
import io.varve.cluster.stats.HotThreadsQuery;
import io.varve.cluster.stats.HotThreadsSampler;
import io.varve.cluster.stats.NodeReport;
import io.varve.control.LeaderErrors;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.IndexDecisions;
import io.varve.control.command.NodeRights;
import io.varve.events.Feature;
import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.http.security.CallingNode;
import io.varve.http.security.PeerRefusals;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.LeaseRenewal;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The internal endpoints of a coordinator for nodes and other coordinators. Only the leader
 * executes commands; any other coordinator responds with 421 and the leader's address.
 */
@RestController
@RequestMapping(path = "/_internal", produces = MediaType.APPLICATION_JSON_VALUE)
public final class ClusterEndpoint {

  private static final String DEFAULT_TIMEOUT_MILLIS = "10000";

  /** The limit of a wait; shorter than the timeout of a follower. */
  private static final long LEASE_TIMEOUT_MILLIS = 8_000;

  private final CoordinatorNode node;
  private final MessageLog log;
  private final Topics topics;
  private final BrokersForFollowers brokers;
  private final NodeReport report;
  private final PeerRefusals refusals;
  private final AppliedWait applied;
  private final HotThreadsSampler hotThreads = new HotThreadsSampler(InstantSource.system());

  ClusterEndpoint(
      CoordinatorNode node,
      MessageLog log,
      Topics topics,
      BrokersForFollowers brokers,
      NodeReport report,
      PeerRefusals refusals,
      AppliedWait applied) {
    this.node = node;
    this.log = log;
    this.topics = topics;
    this.brokers = brokers;
    this.report = report;
    this.refusals = refusals;
    this.applied = applied;
  }

  @PostMapping("/cluster/commands")
  byte[] command(
      @RequestBody byte[] body,
      @RequestHeader(name = CommandSender.TIMEOUT_HEADER, defaultValue = DEFAULT_TIMEOUT_MILLIS)
          long timeoutMillis)
      throws InterruptedException {
    return carryOut(Json.read(body, ClusterCommand.class), timeoutMillis);
  }

  @PostMapping("/cluster/terms")
  byte[] newTerm(
      @RequestBody byte[] body,
      @RequestHeader(name = CommandSender.TIMEOUT_HEADER, defaultValue = DEFAULT_TIMEOUT_MILLIS)
          long timeoutMillis,
      HttpServletRequest request)
      throws InterruptedException {
    return carryOutFor(
        request,
        new ClusterCommand.NewTerm(Json.read(body, ClusterCalls.NewTerm.class)),
        timeoutMillis);
  }

  @PostMapping("/cluster/copies/started")
  byte[] copyStarted(
      @RequestBody byte[] body,
      @RequestHeader(name = CommandSender.TIMEOUT_HEADER, defaultValue = DEFAULT_TIMEOUT_MILLIS)
          long timeoutMillis,
      HttpServletRequest request)
      throws InterruptedException {
    return carryOutFor(
        request,
        new ClusterCommand.CopyStarted(Json.read(body, ClusterCalls.CopyStarted.class)),
        timeoutMillis);
  }

  @PostMapping("/cluster/copies/failed")
  byte[] copyFailed(
      @RequestBody byte[] body,
      @RequestHeader(name = CommandSender.TIMEOUT_HEADER, defaultValue = DEFAULT_TIMEOUT_MILLIS)
          long timeoutMillis,
      HttpServletRequest request)
      throws InterruptedException {
    return carryOutFor(
        request,
        new ClusterCommand.CopyFailed(Json.read(body, ClusterCalls.CopyFailed.class)),
        timeoutMillis);
  }

  /** A coordinator reports that its connection to a node was refused or broke. */
  @PostMapping("/cluster/nodes/disconnected")
  void disconnected(@RequestBody byte[] body) {
    node.disconnected(Json.read(body, ClusterCalls.NodeDisconnected.class));
  }

  @PostMapping("/cluster/mappings")
  byte[] newFields(
      @RequestBody byte[] body,
      @RequestHeader(name = CommandSender.TIMEOUT_HEADER, defaultValue = DEFAULT_TIMEOUT_MILLIS)
          long timeoutMillis)
      throws InterruptedException {
    ClusterCommand command =
        new ClusterCommand.NewFields(Json.read(body, ClusterCalls.NewFields.class));
    long version = node.executeLocally(command, timeoutMillis);
    awaitCoordinators(version, Duration.ofMillis(timeoutMillis / 2));
    return Json.write(new ClusterCalls.Applied(version));
  }

  /**
   * Once its document is answered, a client may search for new fields through any coordinator. The
   * fields are valid even if a coordinator lags, and the primary needs time for the document.
   */
  private void awaitCoordinators(long version, Duration timeout) throws InterruptedException {
    if (node.view().awaitVersion(version, timeout)) {
      var _ = applied.await(timeout);
    }
  }

  /** A follower in another cluster adds or renews its lease; any coordinator routes that. */
  @PostMapping("/cluster/leases")
  byte[] renewLease(@RequestBody byte[] body) {
    LeaseRenewal request = Json.read(body, LeaseRenewal.class);
    node.execute(new ClusterCommand.RenewLease(request), LEASE_TIMEOUT_MILLIS);
    return node.state()
        .index(request.indexUuid())
        .map(index -> index.leases().get(request.holder()))
        .filter(RetentionLease::isActive)
        .map(lease -> Json.write(answer(request, lease)))
        .orElseThrow(() ->
            new ApiException(404, RemoteCluster.NO_LEASE, "the retention lease was just removed"));
  }

  private static LeaseRenewal.Active answer(LeaseRenewal request, RetentionLease lease) {
    Map<Integer, Long> limits = new TreeMap<>(lease.limits());
    limits.keySet().retainAll(request.fromOffsets().keySet());
    return new LeaseRenewal.Active(lease.generation(), limits);
  }

  /** An index in another cluster is no longer a follower; any coordinator routes that. */
  @PostMapping("/cluster/leases/released")
  byte[] releaseLease(@RequestBody byte[] body) {
    LeaseRenewal.Release release = Json.read(body, LeaseRenewal.Release.class);
    return Json.write(
        new ClusterCalls.Applied(
            node.execute(
                new ClusterCommand.EndLeases(release.indexUuid(), List.of(release.holder())),
                LEASE_TIMEOUT_MILLIS)));
  }

  @PostMapping("/cluster/leases/over-limit")
  byte[] leaseOverLimit(
      @RequestBody byte[] body,
      @RequestHeader(name = CommandSender.TIMEOUT_HEADER, defaultValue = DEFAULT_TIMEOUT_MILLIS)
          long timeoutMillis,
      HttpServletRequest request)
      throws InterruptedException {
    return carryOutFor(
        request,
        new ClusterCommand.LeaseOverLimit(Json.read(body, ClusterCalls.LeaseOverLimit.class)),
        timeoutMillis);
  }

  @PostMapping("/cluster/followers/lost")
  byte[] historyLost(
      @RequestBody byte[] body,
      @RequestHeader(name = CommandSender.TIMEOUT_HEADER, defaultValue = DEFAULT_TIMEOUT_MILLIS)
          long timeoutMillis,
      HttpServletRequest request)
      throws InterruptedException {
    return carryOutFor(
        request,
        new ClusterCommand.ReplaceFollower(Json.read(body, ClusterCalls.LostHistory.class)),
        timeoutMillis);
  }

  /** Executes a command on behalf of the calling node; refused commands are recorded. */
  private byte[] carryOutFor(HttpServletRequest request, ClusterCommand command, long timeoutMillis)
      throws InterruptedException {
    Optional<String> caller = CallingNode.dataNode(request);
    if (caller.isEmpty()) {
      return carryOut(command, timeoutMillis);
    }
    try {
      return Json.write(
          new ClusterCalls.Applied(node.executeLocallyFor(caller.get(), command, timeoutMillis)));
    } catch (ApiException e) {
      if (NodeRights.isRefusal(e.error())) {
        refusals.refused(PeerRefusals.Refusal.of(request, e.error()));
      }
      throw e;
    }
  }

  private byte[] carryOut(ClusterCommand command, long timeoutMillis) throws InterruptedException {
    return Json.write(new ClusterCalls.Applied(node.executeLocally(command, timeoutMillis)));
  }

  /** Answers when this coordinator has applied the version, or after the timeout. */
  @GetMapping("/cluster/applied")
  byte[] applied(
      @RequestParam("version") long version,
      @RequestHeader(name = CommandSender.TIMEOUT_HEADER, defaultValue = DEFAULT_TIMEOUT_MILLIS)
          long timeoutMillis)
      throws InterruptedException {
    var _ = node.view().awaitVersion(version, Duration.ofMillis(timeoutMillis));
    return Json.write(new ClusterCalls.Applied(node.state().version()));
  }

  @GetMapping("/cluster/state")
  byte[] state() {
    return Json.write(node.state());
  }

  /** The metadata that a cluster needs to follow new indices of this one. */
  @GetMapping("/cluster/export")
  byte[] export() {
    ClusterState state = node.state();
    Map<String, String> indices = new TreeMap<>();
    state.indices().forEach((name, index) -> indices.put(name, index.uuid()));
    return Json.write(
        new RemoteCluster.Description(
            state.clusterName(), state.clusterUuid(), brokers.bootstrapServers(), indices));
  }

  /** The metadata that a cluster needs to follow an index of this one. */
  @GetMapping("/cluster/export/{name}")
  byte[] export(@PathVariable("name") String name) throws LogException {
    IndexMetadata index = node.state().indices().get(name);
    if (index == null && AliasNames.isAlias(node.state(), name)) {
      throw new ApiException(
          ErrorBody.illegalArgument("cannot follow [" + name + "], because it is a ALIAS"));
    }
    if (index == null) {
      throw new ApiException(IndexDecisions.missing(name));
    }
    String operations = topics.operations(index.uuid());
    return Json.write(
        new RemoteCluster.Export(
            node.state().clusterName(),
            node.state().clusterUuid(),
            brokers.bootstrapServers(),
            index,
            operations,
            log.topicId(operations),
            topics.manifests(index.uuid()),
            node.state().has(Feature.RECORDED_LEASES)));
  }

  @GetMapping("/node/figures")
  byte[] stats() {
    return Json.write(report.read());
  }

  @GetMapping(path = "/node/hot_threads", produces = MediaType.TEXT_PLAIN_VALUE)
  byte[] hotThreads(@RequestParam Map<String, String> parameters)
      throws IOException, InterruptedException {
    return hotThreads.sample(HotThreadsQuery.of(parameters::get)).getBytes(StandardCharsets.UTF_8);
  }

  @GetMapping("/node")
  byte[] node() {
    return Json.write(node.heartbeat());
  }

  @ExceptionHandler
  ResponseEntity<byte[]> refused(ApiException refusal) {
    return response(refusal.error());
  }

  @ExceptionHandler
  ResponseEntity<byte[]> malformed(MalformedRecordException malformed) {
    return response(ErrorBody.illegalArgument(String.valueOf(malformed.getMessage())));
  }

  @ExceptionHandler
  ResponseEntity<byte[]> noLog(LogException failure) {
    return response(
        ErrorBody.of(503, "log_unavailable_exception", String.valueOf(failure.getMessage())));
  }

  private ResponseEntity<byte[]> response(ErrorBody error) {
    Map<String, Object> body = new LinkedHashMap<>(ErrorBodies.response(error, null));
    if (error.status() == LeaderErrors.MISDIRECTED) {
      node.leaderUrl().ifPresent(url -> body.put("leader_url", url));
    }
    return ResponseEntity.status(error.status())
        .contentType(MediaType.APPLICATION_JSON)
        .body(Json.write(body));
  }
}
