package io.varve.host.http;

import io.varve.cluster.ClusterState;
import io.varve.events.ShardId;
import io.varve.host.NodeContext;
import io.varve.http.internal.Bodies;
import io.varve.http.security.CallingNode;
import io.varve.http.security.PeerRefusals;
import io.varve.log.LogException;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Guards the endpoints with which a data node changes a copy of another node, by the {@link
 * CopyClaim} of the request and the node of its certificate. Without certificates, the calling node
 * is unknown, and no request is refused.
 *
 * <p>This node may receive a cluster state later than the caller. A claim that the known state does
 * not permit is therefore checked again against a state at least as new as the request: that at the
 * present end of the cluster log. If that state does not arrive in time, the answer is 503, and the
 * caller retries. If that state does not permit the claim either, the request is refused, and the
 * refusal is recorded. The status is 409 if the node had the primary before ({@link
 * FormerPrimaries}), and otherwise 403.
 */
public final class CallerGate {

  /** Shorter than the time that callers wait for an answer. */
  private static final Duration STATE_WITHIN = Duration.ofSeconds(3);

  /** The claims by method and name of the endpoint. All other requests of data nodes only read. */
  private static final Map<String, Function<HttpServletRequest, CopyClaim>> CLAIMS =
      Map.of(
          "POST contradicted",
          _ -> new CopyClaim.Primary(),
          "POST merged",
          _ -> new CopyClaim.Primary(),
          "DELETE merged",
          _ -> new CopyClaim.Primary(),
          "POST admit",
          request -> new CopyClaim.Copy(Bodies.required(request, "copy_id")));

  /** The cluster state as this node knows it. */
  interface KnownCluster {

    ClusterState current();

    /**
     * Waits until {@link #current} is at least that of the present end of the cluster log; false
     * after the timeout.
     */
    boolean awaitEndOfLog(Duration timeout) throws LogException, InterruptedException;
  }

  private final KnownCluster cluster;
  private final FormerPrimaries former;
  private final PeerRefusals refusals;
  private final Function<HttpServletRequest, Optional<String>> callers;

  /**
   * @param refusals records the refused requests
   */
  public CallerGate(NodeContext node, PeerRefusals refusals) {
    this(
        known(node),
        new FormerPrimaries(node.identity().nodeId()),
        refusals,
        CallingNode::dataNode);
    // The listener stays for the lifetime of the process, as does this gate.
    var _ = node.cluster().listen(former::learn);
  }

  /**
   * @param callers the id of the data node that sent a request; empty for other senders
   */
  CallerGate(
      KnownCluster cluster,
      FormerPrimaries former,
      PeerRefusals refusals,
      Function<HttpServletRequest, Optional<String>> callers) {
    this.cluster = cluster;
    this.former = former;
    this.refusals = refusals;
    this.callers = callers;
  }

  private static KnownCluster known(NodeContext node) {
    return new KnownCluster() {
      @Override
      public ClusterState current() {
        return node.cluster().current();
      }

      @Override
      public boolean awaitEndOfLog(Duration timeout) throws LogException, InterruptedException {
        return node.awaitEndOfClusterLog(timeout);
      }
    };
  }

  /** The same endpoints, by method and name, with a check before those that change a copy. */
  public Map<String, ShardEndpoint> before(Map<String, ShardEndpoint> endpoints) {
    Map<String, ShardEndpoint> guarded = new LinkedHashMap<>(endpoints);
    CLAIMS.forEach(
        (name, claim) -> guarded.computeIfPresent(name, (_, endpoint) -> checked(claim, endpoint)));
    return guarded;
  }

  private ShardEndpoint checked(
      Function<HttpServletRequest, CopyClaim> claim, ShardEndpoint endpoint) {
    return (copy, rest, request, response) -> {
      Optional<String> caller = callers.apply(request);
      if (caller.isPresent()) {
        check(request, claim.apply(request), copy.shard(), caller.get());
      }
      endpoint.handle(copy, rest, request, response);
    };
  }

  private void check(HttpServletRequest request, CopyClaim claim, ShardId shard, String nodeId)
      throws InterruptedException {
    if (judge(claim, shard, nodeId) instanceof CopyClaim.Verdict.Permitted) {
      return;
    }
    awaitPresentState(shard);
    switch (judge(claim, shard, nodeId)) {
      case CopyClaim.Verdict.Permitted _ -> {}
      case CopyClaim.Verdict.StaleTerm(ErrorBody error) ->
          refuse(request, PeerRefusals.Cause.STALE_PRIMARY_TERM, error);
      case CopyClaim.Verdict.Forbidden(ErrorBody error) ->
          refuse(request, PeerRefusals.Cause.FORBIDDEN, error);
    }
  }

  /** The listener may receive a state later than the request that it checks. */
  private CopyClaim.Verdict judge(CopyClaim claim, ShardId shard, String nodeId) {
    ClusterState state = cluster.current();
    former.learn(state);
    return claim.judge(state, former, shard, nodeId);
  }

  private void refuse(HttpServletRequest request, PeerRefusals.Cause cause, ErrorBody error) {
    refusals.refused(PeerRefusals.Refusal.of(request, cause, error));
    throw new ApiException(error);
  }

  private void awaitPresentState(ShardId shard) throws InterruptedException {
    try {
      if (!cluster.awaitEndOfLog(STATE_WITHIN)) {
        throw unknown(shard, "its end did not arrive within " + STATE_WITHIN);
      }
    } catch (LogException e) {
      throw unknown(shard, String.valueOf(e.getMessage()));
    }
  }

  private static ApiException unknown(ShardId shard, String reason) {
    return new ApiException(
        503,
        "unavailable_shards_exception",
        "whether the caller may change the copy of %s is unknown: the cluster log can't be read: %s"
            .formatted(shard, reason));
  }
}
