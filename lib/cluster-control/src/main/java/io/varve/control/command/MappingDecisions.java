package io.varve.control.command;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.events.Feature;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.IndexSort;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.MappingRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decisions on mappings. New fields are merged into a mapping, and fields are never removed. A
 * request that would change a field of one index is refused for all of its indices. A merge that
 * adds nothing has no event: when many writers report the same new field, the mapping's version
 * increases once. A follower gets its fields from its leader only: see {@link FollowerMetadata}.
 */
final class MappingDecisions {

  private MappingDecisions() {}

  static Decision put(ClusterState state, ClusterCommand.PutMapping request) {
    Set<IndexMetadata> indices = IndexDecisions.named(state, request.indices());
    IndexDecisions.refuse(FollowerProtection.ofMappings(indices));
    List<ClusterEvent> events = new ArrayList<>();
    for (IndexMetadata index : indices) {
      Optional<ErrorBody> refused =
          IndexBlocks.refusal(index, IndexBlocks.Action.METADATA_WRITE)
              .or(() -> merge(index, request.mapping(), events));
      if (refused.isPresent()) {
        return new Decision.Refused(refused.get());
      }
    }
    return new Decision.Events(events);
  }

  static Decision newFields(ClusterState state, ClusterCommand.NewFields request) {
    Optional<IndexMetadata> index = state.index(request.call().indexUuid());
    if (index.isEmpty()) {
      return new Decision.Refused(IndexDecisions.missing(request.call().indexUuid()));
    }
    if (state.has(Feature.FOLLOW_STATUS)) {
      IndexDecisions.refuse(FollowerProtection.ofMappings(List.of(index.get())));
    }
    List<ClusterEvent> events = new ArrayList<>();
    Optional<ErrorBody> refused = merge(index.get(), request.call().properties(), events);
    // Types derived under an older mapping may be outdated: the node parses the document again
    // under this one.
    boolean outdated = index.get().mappingVersion() > request.call().knownMappingVersion();
    return refused.isPresent() && !outdated
        ? new Decision.Refused(refused.get())
        : new Decision.Events(events);
  }

  private static Optional<ErrorBody> merge(
      IndexMetadata index, String json, List<ClusterEvent> events) {
    MappingRules rules = MappingRules.of(index.settings());
    return switch (Mapping.parse(index.mapping(), rules).merge(json)) {
      case Mapping.Merge.Refused(var error) -> Optional.of(error);
      case Mapping.Merge.Merged(var mapping, var changed) -> {
        IndexSort.of(index.settings()).check(mapping);
        if (changed) {
          events.add(
              new ClusterEvent.MappingChanged(
                  index.uuid(), index.mappingVersion() + 1, mapping.toJson()));
        }
        yield Optional.empty();
      }
    };
  }
}
