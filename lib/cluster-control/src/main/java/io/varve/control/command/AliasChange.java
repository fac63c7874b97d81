package io.varve.control.command;

import io.varve.cluster.AliasMetadata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One change of aliases, a part of {@link ClusterCommand.UpdateAliases}.
 *
 * @param indices names
 * @param aliases names, for removal also patterns; empty when indices are deleted
 * @param mustExist whether removing a missing alias is refused; null to refuse it only if the
 *     request changes nothing else
 */
public record AliasChange(
    Kind kind,
    List<String> indices,
    List<String> aliases,
    AliasMetadata metadata,
    @Nullable Boolean mustExist) {

  /** Kinds of changes. */
  public enum Kind {
    ADD,
    REMOVE,
    DELETE_INDEX
  }
}
