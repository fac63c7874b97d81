package io.varve.coordinator.access;

import io.varve.cluster.ClusterState;
import io.varve.control.command.AliasChange;
import io.varve.control.command.ClusterCommand;
import io.varve.names.Wildcard;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks the names of indices in a command before it is sent to the leader: no endpoint can change
 * an index without this check. Commands that name no index are allowed by the action of their
 * route.
 */
public final class CommandNames {

  private static final String CREATE = "indices:admin/create";
  private static final String ALIASES = "indices:admin/aliases";
  private static final String DELETE = "indices:admin/delete";

  private CommandNames() {}

  /**
   * @throws io.varve.rpc.ApiException 403: the request may not change one of the indices
   */
  public static void check(Access access, ClusterState state, ClusterCommand command) {
    if (!access.hasUser()) {
      return;
    }
    switch (command) {
      case ClusterCommand.CreateIndex create -> create(access, state, create);
      case ClusterCommand.RollOver(var alias, var from, var to) -> {
        access.require(state, alias);
        access.require(state, from);
        create(access, state, to);
      }
      case ClusterCommand.UpdateAliases(var changes) ->
          changes.forEach(change -> aliases(access, state, change));
      default -> names(command).forEach(name -> access.require(state, name));
    }
  }

  private static void create(Access access, ClusterState state, ClusterCommand.CreateIndex create) {
    access.require(CREATE, state, create.name());
    create.aliases().keySet().forEach(alias -> access.require(ALIASES, state, alias));
  }

  private static void aliases(Access access, ClusterState state, AliasChange change) {
    String action = change.kind() == AliasChange.Kind.DELETE_INDEX ? DELETE : ALIASES;
    for (String expression : change.indices()) {
      matching(state, expression).forEach(name -> access.require(action, state, name));
    }
    if (change.kind() == AliasChange.Kind.ADD) {
      change.aliases().forEach(alias -> access.require(action, state, alias));
    }
  }

  /** The leader expands patterns itself, so all that they match must be allowed. */
  private static Set<String> matching(ClusterState state, String expression) {
    if (!Wildcard.isPattern(expression) && !expression.equals("_all")) {
      return Set.of(expression);
    }
    String pattern = expression.equals("_all") ? "*" : expression;
    Set<String> names = new LinkedHashSet<>();
    state.indices().keySet().stream()
        .filter(name -> Wildcard.matches(pattern, name))
        .forEach(names::add);
    return names;
  }

  private static List<String> names(ClusterCommand command) {
    return switch (command) {
      case ClusterCommand.DeleteIndices(var names) -> names;
      case ClusterCommand.CloseIndices(var names) -> names;
      case ClusterCommand.OpenIndices(var names) -> names;
      case ClusterCommand.BlockWriters(var index) -> List.of(index);
      case ClusterCommand.ReleaseWriters(var index, var _) -> List.of(index);
      case ClusterCommand.RecallWriters(var index, var _) -> List.of(index);
      case ClusterCommand.PauseFollow(var index) -> List.of(index);
      case ClusterCommand.ResumeFollow(var index, var _) -> List.of(index);
      case ClusterCommand.Unfollow(var index) -> List.of(index);
      case ClusterCommand.Promote(var index) -> List.of(index);
      case ClusterCommand.SkipOperation skip -> List.of(skip.index());
      case ClusterCommand.FailBack back -> List.of(back.index());
      case ClusterCommand.PutMapping(var indices, var _) -> indices;
      case ClusterCommand.UpdateIndexSettings(var indices, var _, var _) -> indices;
      default -> List.of();
    };
  }
}
