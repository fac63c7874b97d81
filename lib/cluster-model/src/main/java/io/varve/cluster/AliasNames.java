package io.varve.cluster;

import io.varve.rpc.ErrorBody;
import java.util.Optional;

/** Rules for names of aliases: those of indices, but upper case is allowed. */
public final class AliasNames {

  private AliasNames() {}

  /** Whether any index has an alias of that name. */
  public static boolean isAlias(ClusterState state, String name) {
    return state.indices().values().stream().anyMatch(index -> index.aliases().containsKey(name));
  }

  /** The reason for which {@code name} is not a valid alias; empty if it is valid. */
  public static Optional<ErrorBody> refusal(String name) {
    if (name.isBlank()) {
      return Optional.of(ErrorBody.illegalArgument("alias name is required"));
    }
    return IndexNames.problem(name, false)
        .map(problem ->
            ErrorBody.of(
                    400,
                    "invalid_alias_name_exception",
                    "Invalid alias name [" + name + "], " + problem)
                .with("index", name)
                .with("index_uuid", "_na_"));
  }

  /**
   * The reason for which {@code name} can't be an alias in a cluster with these indices, if any.
   */
  public static Optional<ErrorBody> refusal(ClusterState state, String name) {
    return refusal(name)
        .or(() ->
            state.indices().containsKey(name)
                ? Optional.of(isIndex(name, state.indices().get(name).uuid()))
                : Optional.empty());
  }

  /** The error for an alias name that is the name of an index. */
  public static ErrorBody isIndex(String name, String uuid) {
    return ErrorBody.of(
            400,
            "invalid_alias_name_exception",
            "Invalid alias name ["
                + name
                + "]: an index or data stream exists with the same name as the alias")
        .with("index", name)
        .with("index_uuid", uuid);
  }
}
