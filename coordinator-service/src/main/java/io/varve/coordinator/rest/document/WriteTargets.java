package io.varve.coordinator.rest.document;

import static java.util.stream.Collectors.toSet;

import io.varve.cluster.AliasNames;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexNames;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.access.Access;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.DateMathName;
import io.varve.coordinator.rest.DocumentTargets;
import io.varve.names.Wildcard;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the indices that one request writes to, each name once. A missing index is created when
 * any item of the request would store something there and {@code action.auto_create_index} allows
 * it. The result for a name is therefore the same for all items, regardless of their order: a
 * delete in an index that the request creates answers "not found".
 */
final class WriteTargets {

  /** An index that can be written to, or the reason why not. */
  sealed interface Target {
    /**
     * @param needsRouting whether the mapping requires a routing
     */
    record Writable(DocumentTargets.Found found, boolean needsRouting) implements Target {}

    record Refused(ErrorBody error) implements Target {}
  }

  private final ClusterAccess cluster;
  private final Duration timeout;
  private final Set<String> created;
  private boolean hasCreated;
  private final Map<String, Target> known = new HashMap<>();
  private final Access access = Access.current();
  private final Map<Write, Optional<ErrorBody>> forbiddenWrites = new HashMap<>();

  private record Write(WriteItem.Kind kind, String name) {}

  WriteTargets(ClusterAccess cluster, List<BulkItem> items, Duration timeout) {
    this.cluster = cluster;
    this.timeout = timeout;
    this.created =
        items.stream().filter(WriteTargets::creates).map(BulkItem::index).collect(toSet());
  }

  private static boolean creates(BulkItem item) {
    // A delete finds no document in a new index; it stores a tombstone only with an external
    // version.
    boolean keepsNothing =
        item.write().kind() == WriteItem.Kind.DELETE
            && item.write().versionType() == WriteItem.VersionType.INTERNAL;
    return item.refusal() == null && !item.requireAlias() && !keepsNothing;
  }

  Target of(BulkItem item) throws InterruptedException {
    String name = item.index();
    if (access.hasUser()) {
      Optional<ErrorBody> forbidden =
          forbiddenWrites.computeIfAbsent(new Write(item.write().kind(), name), this::forbidden);
      if (forbidden.isPresent()) {
        return new Target.Refused(forbidden.get());
      }
    }
    if (item.requireAlias() && !AliasNames.isAlias(cluster.state(), name)) {
      return new Target.Refused(noAlias(name));
    }
    Target target = known.get(name);
    if (target == null) {
      target = find(name);
      known.put(name, target);
    }
    return target;
  }

  /**
   * The permission for bulk writes does not include deletes: each kind of item requires its own
   * action.
   */
  private Optional<ErrorBody> forbidden(Write write) {
    String action =
        switch (write.kind()) {
          case INDEX, CREATE -> "indices:data/write/index";
          case UPDATE -> "indices:data/write/update";
          case DELETE -> "indices:data/write/delete";
        };
    try {
      String name = DateMathName.resolve(write.name());
      access.requireTarget(cluster.state(), name);
      access.require(action, cluster.state(), name);
      return Optional.empty();
    } catch (ApiException e) {
      return Optional.of(e.error());
    }
  }

  private Target find(String name) throws InterruptedException {
    try {
      DocumentTargets.Found found = DocumentTargets.toWrite(cluster.state(), name).orElse(null);
      DocumentTargets.Found target = found == null ? create(name) : found;
      return refusal(target.index())
          .<Target>map(Target.Refused::new)
          .orElseGet(() -> new Target.Writable(target, RequiredRouting.isRequired(target.index())));
    } catch (ApiException e) {
      return new Target.Refused(e.error());
    }
  }

  private static Optional<ErrorBody> refusal(IndexMetadata index) {
    if (index.follow() != null) {
      return Optional.of(
          ErrorBody.of(
                  403,
                  "cluster_block_exception",
                  "index ["
                      + index.name()
                      + "] blocked by: [FORBIDDEN/1000/index read-only(cross-cluster-replication)];")
              .with("index", index.name())
              .with("index_uuid", index.uuid()));
    }
    return IndexBlocks.refusal(index, IndexBlocks.Action.WRITE);
  }

  /** Whether an index was created for one of the items. */
  boolean hasCreated() {
    return hasCreated;
  }

  private DocumentTargets.Found create(String expression) throws InterruptedException {
    String name = DateMathName.resolve(expression);
    ErrorBody missing = ErrorBodies.indexNotFound(name, "index_expression");
    if (!created.contains(expression)) {
      throw new ApiException(missing);
    }
    IndexNames.refusal(name)
        .ifPresent(error -> {
          throw new ApiException(error);
        });
    String why = forbidden(cluster.state(), name);
    if (why != null) {
      throw new ApiException(
          new ErrorBody(404, missing.type(), missing.reason() + why, missing.fields(), null));
    }
    try {
      cluster.change(ClusterCommand.CreateIndex.of(name, Map.of(), "{}"), timeout);
    } catch (ApiException e) {
      // Another request has created the index in the meantime.
      if (!e.error().type().equals("resource_already_exists_exception")) {
        throw e;
      }
    }
    // The leader knows the index before this coordinator does.
    DocumentTargets.Found found =
        cluster
            .await(state -> DocumentTargets.toWrite(state, name), cluster.deadline(timeout))
            .orElseThrow(() -> new ApiException(missing));
    hasCreated = true;
    return found;
  }

  /** Returns why a write may not create the index; {@code null} if it may. */
  private static @Nullable String forbidden(ClusterState state, String name) {
    String setting = ClusterSettings.value(state, ClusterSettings.AUTO_CREATE_INDEX);
    if (setting == null || setting.equals("true")) {
      return null;
    }
    if (setting.equals("false")) {
      return " and [action.auto_create_index] is [false]";
    }
    for (String part : setting.split(",", -1)) {
      boolean no = part.startsWith("-");
      String pattern = no || part.startsWith("+") ? part.substring(1) : part;
      if (Wildcard.matches(pattern, name)) {
        return no
            ? " and [action.auto_create_index] contains [-"
                + pattern
                + "] which forbids automatic"
                + " creation of the index"
            : null;
      }
    }
    return " and [action.auto_create_index] ([" + setting + "]) doesn't match";
  }

  private static ErrorBody noAlias(String name) {
    ErrorBody missing = ErrorBodies.indexNotFound(name, "index_or_alias");
    return new ErrorBody(
        404,
        missing.type(),
        missing.reason()
            + " and [require_alias] request flag is [true] and ["
            + name
            + "] is not an alias",
        missing.fields(),
        null);
  }
}
