package io.varve.coordinator.rest.cluster;

import io.varve.client.CopyReader;
import io.varve.client.NodeReader;
import io.varve.client.routing.LaggingCopies;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.DiskUsage;
import io.varve.control.Membership;
import io.varve.control.NodeTracker;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.CopyProgress;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code _cluster/allocation/explain}: explains why a copy is on its node or why it is unassigned,
 * with the same deciders as the leader.
 *
 * @see CopyQuestion how the copy is selected
 * @see AllocationExplanation the answer
 */
public final class AllocationExplainEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final DiskInfo diskInfo;
  private final UnassignedTimes times;
  private final LaggingCopies laggards;

  public AllocationExplainEndpoint(
      ClusterAccess cluster,
      NodeReader nodes,
      CopyReader copies,
      UnassignedTimes times,
      LaggingCopies laggards) {
    this.cluster = cluster;
    this.diskInfo = new DiskInfo(cluster, nodes, copies);
    this.times = times;
    this.laggards = laggards;
  }

  @Override
  public List<Route> routes() {
    return Route.of(List.of(RestMethod.GET, RestMethod.POST), "/_cluster/allocation/explain");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    boolean disks = request.flag("include_disk_info", false);
    boolean yesToo = request.flag("include_yes_decisions", false);
    CopyQuestion question = CopyQuestion.of(request.bodyAsMap());
    return responder -> {
      ClusterState state = cluster.state();
      ExplainedCopy subject = question.in(state, this::fails);
      Map<String, DiskUsage> usages = NodeTracker.disks(cluster.heartbeats().values());
      Map<String, Object> answer =
          new AllocationExplanation(
                  state,
                  subject,
                  usages,
                  Membership.refused(state, cluster.beating()),
                  times,
                  laggards,
                  failing(subject.copy()))
              .toJson(yesToo);
      if (disks) {
        answer.put("cluster_info", diskInfo.of(state, subject.index()));
      }
      responder.json(200, answer);
    };
  }

  /** Whether a copy reports a failure, or failed before it was assigned again. */
  private boolean fails(CopyRouting copy) {
    return failing(copy) != null || !UnassignedTimes.details(copy).isEmpty();
  }

  private @Nullable CopyProgress failing(CopyRouting copy) {
    return cluster
        .progress(copy.copyId())
        .filter(progress -> progress.failure() != null)
        .orElse(null);
  }
}
