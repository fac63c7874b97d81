package io.varve.control.command;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides the steps to search-only mode and back.
 *
 * <pre>
 *   written --block--> blocked --release--> without writers --recall--> written
 *                      blocked ------------------recall-------------->  written
 * </pre>
 *
 * Between the first two steps the writers upload their data to the segment store, from which the
 * search-only copies fetch it. The client may disconnect during that time: the first step may be
 * repeated, and both states allow a recall. No order of the steps loses data, because the log has
 * every acknowledged operation.
 */
final class ScaleDecisions {

  private ScaleDecisions() {}

  static Decision block(ClusterState state, ClusterCommand.BlockWriters request) {
    IndexMetadata index = named(state, request.index());
    refuseWhatMustStayWritten(index);
    IndexBlocks.refusal(index, IndexBlocks.Action.METADATA_WRITE)
        .ifPresent(error -> {
          throw new ApiException(error);
        });
    return index.searchOnly() ? Decision.nothing() : Decision.of(changed(index, "true"));
  }

  static Decision release(ClusterState state, ClusterCommand.ReleaseWriters request) {
    IndexMetadata index = named(state, request.index());
    if (!index.searchOnly() || index.settingsVersion() != request.settingsVersion()) {
      throw illegalState(
          409, "Index [" + index.name() + "] was changed while its writers were being removed");
    }
    return index.released()
        ? Decision.nothing()
        : Decision.of(new ClusterEvent.WritersReleased(index.uuid()));
  }

  static Decision recall(ClusterState state, ClusterCommand.RecallWriters request) {
    IndexMetadata index = named(state, request.index());
    boolean undo = request.unreleasedVersion() > 0;
    boolean overtaken = index.released() || index.settingsVersion() != request.unreleasedVersion();
    if (undo && overtaken) {
      return Decision.nothing();
    }
    if (!index.searchOnly()) {
      throw illegalState(400, "Index [" + index.name() + "] is not in search-only mode");
    }
    return Decision.of(changed(index, null));
  }

  private static IndexMetadata named(ClusterState state, String name) {
    return IndexDecisions.named(state, List.of(name)).iterator().next();
  }

  private static ClusterEvent changed(IndexMetadata index, @Nullable String block) {
    Map<String, @Nullable String> changes = new TreeMap<>();
    changes.put(IndexBlocks.SEARCH_ONLY, block);
    return new ClusterEvent.IndexSettingsChanged(
        index.uuid(), index.settingsVersion() + 1, changes);
  }

  private static void refuseWhatMustStayWritten(IndexMetadata index) {
    String name = index.name();
    if (index.released()) {
      throw illegalState(400, "Index [" + name + "] is already in search-only mode");
    }
    if (index.numberOfSearchReplicas() == 0) {
      throw illegalArgument("Cannot scale to zero without search replicas for index: " + name);
    }
    if (!IndexSettings.isRemoteBacked(index.settings())) {
      throw illegalArgument(
          "To scale to zero, "
              + IndexSettings.REMOTE_STORE
              + " must be enabled for index: "
              + name);
    }
    if (!index.replicationType().equals(IndexMetadata.SEGMENT)) {
      throw illegalArgument(
          "To scale to zero, segment replication must be enabled for index: " + name);
    }
    if (index.follow() != null) {
      throw illegalArgument(
          "To scale to zero, the index must not follow that of another cluster: " + name);
    }
  }

  private static ApiException illegalArgument(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }

  private static ApiException illegalState(int status, String reason) {
    return new ApiException(status, "illegal_state_exception", reason);
  }
}
