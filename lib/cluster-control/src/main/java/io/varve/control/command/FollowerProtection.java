package io.varve.control.command;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.rpc.ErrorBody;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Refuses changes to a follower index that would make it differ from its leader index: changes of
 * its mapping, its aliases and its replicated settings ({@link IndexSettings#isReplicated}).
 * Applies to the commands of users from all endpoints. Paused and closed followers are also
 * protected, until they are unfollowed. Error types, texts and status are Elasticsearch's.
 */
final class FollowerProtection {

  private FollowerProtection() {}

  /** The refusal to change the mappings of these indices, if one of them is a follower. */
  static Optional<ErrorBody> ofMappings(Collection<IndexMetadata> indices) {
    return followers(indices)
        .map(names ->
            forbidden(
                "can't put mapping to the following indices ["
                    + names
                    + "]; the mapping of the following indices are self-replicated from its leader"
                    + " indices"));
  }

  /** The refusal to change the aliases of these indices, if one of them is a follower. */
  static Optional<ErrorBody> ofAliases(Collection<IndexMetadata> indices) {
    return followers(indices)
        .map(names ->
            forbidden(
                "can't modify aliases on indices ["
                    + names
                    + "]; aliases of following indices are self-replicated from their leader"
                    + " indices"));
  }

  /**
   * The refusal to change these settings (full names) of these indices, if one of the indices is a
   * follower and one of the settings is replicated.
   */
  static Optional<ErrorBody> ofSettings(
      Collection<IndexMetadata> indices, Map<String, @Nullable String> changes) {
    // Unknown settings, and settings that can't be changed, are refused with another error.
    List<String> replicated =
        changes.keySet().stream()
            .filter(name -> IndexSettings.find(name).isPresent())
            .filter(IndexSettings::isReplicated)
            .sorted()
            .toList();
    return replicated.isEmpty()
        ? Optional.empty()
        : followers(indices)
            .map(names ->
                forbidden(
                    "can't change settings "
                        + replicated
                        + " of indices ["
                        + names
                        + "]; these settings of following indices are self-replicated from their"
                        + " leader indices"));
  }

  /** The names of the followers; empty if there is none. */
  private static Optional<String> followers(Collection<IndexMetadata> indices) {
    String names =
        indices.stream()
            .filter(index -> index.follow() != null)
            .map(IndexMetadata::name)
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? Optional.empty() : Optional.of(names);
  }

  private static ErrorBody forbidden(String reason) {
    return ErrorBody.of(403, "status_exception", reason);
  }
}
