package io.varve.control.command;

import io.varve.cluster.AutoFollowPattern;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Decides changes of auto-follow patterns. Error types and texts are Elasticsearch's. */
final class AutoFollowDecisions {

  private AutoFollowDecisions() {}

  static Decision put(ClusterState state, ClusterCommand.PutAutoFollow request) {
    AutoFollowPattern present = state.autoFollow().get(request.name());
    AutoFollowPattern next = request.pattern();
    if (present != null && present.remoteCluster().equals(next.remoteCluster())) {
      Set<String> handled = new TreeSet<>(present.handled());
      if (request.existingIndices()) {
        handled.retainAll(followed(state));
      }
      next = next.handling(handled, List.of());
    }
    return next.equals(present) ? Decision.nothing() : changed(request.name(), next);
  }

  /** The uuids of the leader indices that indices of this cluster follow or have followed. */
  private static Set<String> followed(ClusterState state) {
    Set<String> uuids = new TreeSet<>();
    for (IndexMetadata index : state.indices().values()) {
      if (index.follow() != null) {
        uuids.add(index.follow().leaderUuid());
      }
      if (index.fork() != null) {
        uuids.add(index.fork().leaderUuid());
      }
    }
    return uuids;
  }

  static Decision delete(ClusterState state, ClusterCommand.DeleteAutoFollow request) {
    var _ = named(state, request.name());
    return changed(request.name(), null);
  }

  static Decision activate(ClusterState state, ClusterCommand.ActivateAutoFollow request) {
    AutoFollowPattern pattern = named(state, request.name());
    return pattern.active() == request.active()
        ? Decision.nothing()
        : changed(request.name(), pattern.asActive(request.active()));
  }

  static Decision handle(ClusterState state, ClusterCommand.HandleAutoFollow request) {
    AutoFollowPattern pattern = state.autoFollow().get(request.name());
    if (pattern == null || pattern.equals(pattern.handling(request.added(), request.removed()))) {
      return Decision.nothing();
    }
    return Decision.of(
        new ClusterEvent.AutoFollowHandled(request.name(), request.added(), request.removed()));
  }

  private static Decision changed(String name, @Nullable AutoFollowPattern pattern) {
    Map<String, @Nullable AutoFollowPattern> changes = new HashMap<>();
    changes.put(name, pattern);
    return Decision.of(new ClusterEvent.AutoFollowChanged(changes));
  }

  private static AutoFollowPattern named(ClusterState state, String name) {
    AutoFollowPattern pattern = state.autoFollow().get(name);
    if (pattern == null) {
      throw new ApiException(missing(name));
    }
    return pattern;
  }

  private static ErrorBody missing(String name) {
    return ErrorBody.of(
        404, "resource_not_found_exception", "auto-follow pattern [" + name + "] is missing");
  }
}
