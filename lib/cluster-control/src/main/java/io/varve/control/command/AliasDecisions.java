package io.varve.control.command;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.AliasNames;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.names.Wildcard;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decisions on aliases: one event for all changes of a request. Indices are deleted first, so that
 * an alias may use the name of a deleted index; then each change applies to the result of those
 * before it.
 */
final class AliasDecisions {

  private final Map<String, Map<String, @Nullable AliasMetadata>> changes = new HashMap<>();
  private final List<String> deleted = new ArrayList<>();
  private final Set<String> missing = new LinkedHashSet<>();
  private ClusterState state;

  private AliasDecisions(ClusterState state) {
    this.state = state;
  }

  /** Throws an {@link ApiException} if a change is refused. */
  static Decision update(ClusterState state, ClusterCommand.UpdateAliases request) {
    AliasDecisions decisions = new AliasDecisions(state);
    request.changes().stream()
        .filter(change -> change.kind() == AliasChange.Kind.DELETE_INDEX)
        .forEach(change -> decisions.delete(change.indices()));
    for (AliasChange change : request.changes()) {
      switch (change.kind()) {
        case ADD -> decisions.add(change);
        case REMOVE -> decisions.remove(change);
        case DELETE_INDEX -> {}
      }
    }
    return decisions.decided();
  }

  private Decision decided() {
    if (changes.isEmpty() && deleted.isEmpty()) {
      if (!missing.isEmpty()) {
        throw notFound(List.copyOf(missing));
      }
      return Decision.nothing();
    }
    IndexDecisions.refuse(
        FollowerProtection.ofAliases(
            changes.keySet().stream().flatMap(uuid -> state.index(uuid).stream()).toList()));
    changes.values().stream()
        .flatMap(byName -> byName.keySet().stream())
        .distinct()
        .forEach(alias ->
            contradiction(state, alias)
                .ifPresent(error -> {
                  throw new ApiException(error);
                }));
    return Decision.of(new ClusterEvent.AliasesChanged(changes, deleted));
  }

  private void delete(List<String> names) {
    for (IndexMetadata index : IndexDecisions.named(state, names)) {
      refuseBlocked(index, IndexBlocks.Action.DELETE_INDEX);
      deleted.add(index.uuid());
      state = state.apply(new ClusterEvent.IndexDeleted(index.uuid()));
    }
  }

  private void add(AliasChange change) {
    for (String alias : change.aliases()) {
      AliasNames.refusal(state, alias)
          .ifPresent(error -> {
            throw new ApiException(error);
          });
      for (IndexMetadata index : IndexDecisions.named(state, change.indices())) {
        refuseBlocked(index, IndexBlocks.Action.METADATA_WRITE);
        // An alias that is added again without is_write_index keeps its value.
        AliasMetadata present = index.aliases().get(alias);
        AliasMetadata wanted =
            change.metadata().writeIndex() == null && present != null
                ? change.metadata().withWriteIndex(present.writeIndex())
                : change.metadata();
        if (!wanted.equals(present)) {
          put(index, alias, wanted);
        }
      }
    }
  }

  private void remove(AliasChange change) {
    boolean any = false;
    for (IndexMetadata index : IndexDecisions.named(state, change.indices())) {
      for (String alias : List.copyOf(index.aliases().keySet())) {
        if (change.aliases().stream()
            .anyMatch(p -> p.equals("_all") || Wildcard.matches(p, alias))) {
          refuseBlocked(index, IndexBlocks.Action.METADATA_WRITE);
          put(index, alias, null);
          any = true;
        }
      }
    }
    if (!any && Boolean.TRUE.equals(change.mustExist())) {
      throw notFound(change.aliases());
    }
    if (!any && change.mustExist() == null) {
      missing.addAll(change.aliases());
    }
  }

  private void put(IndexMetadata index, String alias, @Nullable AliasMetadata metadata) {
    changes.computeIfAbsent(index.uuid(), uuid -> new TreeMap<>()).put(alias, metadata);
    Map<String, @Nullable AliasMetadata> one = new TreeMap<>();
    one.put(alias, metadata);
    state = state.apply(new ClusterEvent.AliasesChanged(Map.of(index.uuid(), one), List.of()));
  }

  private static void refuseBlocked(IndexMetadata index, IndexBlocks.Action action) {
    IndexBlocks.refusal(index, action)
        .ifPresent(error -> {
          throw new ApiException(error);
        });
  }

  /** The error if the properties of an alias for several indices contradict each other. */
  static Optional<ErrorBody> contradiction(ClusterState state, String alias) {
    List<IndexMetadata> indices =
        state.indices().values().stream().filter(i -> i.aliases().containsKey(alias)).toList();
    List<String> writing = names(indices, alias, AliasMetadata::writesHere);
    if (writing.size() > 1) {
      return Optional.of(
          ErrorBody.of(
              400,
              "illegal_state_exception",
              "alias ["
                  + alias
                  + "] has more than one write index ["
                  + String.join(",", writing)
                  + "]"));
    }
    List<String> hidden = names(indices, alias, AliasMetadata::leftOut);
    if (!hidden.isEmpty() && hidden.size() < indices.size()) {
      return Optional.of(
          ErrorBody.of(
              400,
              "illegal_state_exception",
              "alias ["
                  + alias
                  + "] has is_hidden set to true on indices ["
                  + String.join(",", hidden)
                  + "] but does not have is_hidden set to true on indices ["
                  + String.join(",", names(indices, alias, a -> !a.leftOut()))
                  + "]; alias must have the same is_hidden setting on all indices"));
    }
    return Optional.empty();
  }

  private static List<String> names(
      List<IndexMetadata> indices, String alias, Predicate<AliasMetadata> wanted) {
    return indices.stream()
        .filter(i -> wanted.test(i.aliases().getOrDefault(alias, AliasMetadata.PLAIN)))
        .map(IndexMetadata::name)
        .toList();
  }

  private static ApiException notFound(List<String> aliases) {
    String names = String.join(",", aliases);
    return new ApiException(
        ErrorBody.of(404, "aliases_not_found_exception", "aliases [" + names + "] missing")
            .with("resource.type", "aliases")
            .with("resource.id", names));
  }
}
