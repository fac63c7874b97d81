package io.varve.coordinator.rest.document;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RoutingHash;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.DocumentTargets;
import io.varve.coordinator.rest.ErrorBodies;
import io.varve.coordinator.rest.search.CopySelector;
import io.varve.coordinator.rest.shard.CopyAddress;
import io.varve.coordinator.rest.shard.ShardClient;
import io.varve.coordinator.rest.shard.ShardClient.UnreachableException;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.search.mapping.Mapping;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents by id. A realtime read asks the primary, which knows what is not yet visible; any
 * other one asks the copies in the order of the selector, until one answers.
 */
public final class DocumentReader {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final ClusterAccess cluster;
  private final ShardClient client;
  private final CopySelector selector;
  private final Visibility visibility;

  public DocumentReader(
      ClusterAccess cluster, ShardClient client, CopySelector selector, Visibility visibility) {
    this.cluster = cluster;
    this.client = client;
    this.selector = selector;
    this.visibility = visibility;
  }

  /**
   * How a document is looked for.
   *
   * @param refresh makes visible what was written before, first
   */
  record Lookup(
      String id,
      @Nullable String routing,
      boolean realtime,
      boolean refresh,
      @Nullable String preference,
      Set<String> storedFields) {

    Lookup routedBy(@Nullable String newRouting) {
      return new Lookup(id, newRouting, realtime, refresh, preference, storedFields);
    }

    static Lookup of(String id, @Nullable String routing) {
      return new Lookup(id, routing, true, false, null, Set.of());
    }
  }

  /** The index of that name, or the only one of the alias of that name. */
  DocumentTargets.Found target(String name) {
    DocumentTargets.Found found =
        DocumentTargets.toRead(cluster.state(), name)
            .orElseThrow(
                () -> new ApiException(ErrorBodies.indexNotFound(name, "index_expression")));
    IndexBlocks.refusal(found.index(), IndexBlocks.Action.READ)
        .ifPresent(error -> {
          throw new ApiException(error);
        });
    return found;
  }

  /** The source of a document that somebody names; null when it is not there. */
  public byte @Nullable [] source(String index, String id, @Nullable String routing)
      throws InterruptedException {
    return get(target(index), Lookup.of(id, routing)).source();
  }

  GetResult get(DocumentTargets.Found target, Lookup lookup) throws InterruptedException {
    return get(target.index(), lookup.routedBy(target.routing(lookup.routing())));
  }

  GetResult get(IndexMetadata index, Lookup lookup) throws InterruptedException {
    RequiredRouting.refusal(index, lookup.id(), lookup.routing())
        .ifPresent(error -> {
          throw new ApiException(error);
        });
    ShardId shard =
        new ShardId(index.uuid(), RoutingHash.shardOf(index, lookup.id(), lookup.routing()));
    if (!lookup.storedFields().isEmpty()) {
      StoredFields.check(lookup.storedFields(), Mapping.parse(index.mapping()));
    }
    if (lookup.refresh()) {
      visibility.refresh(shard, TIMEOUT);
    }
    ClusterState state = cluster.state();
    ShardRouting routing = index.shard(shard.number());
    ErrorBody last = noCopy(index, lookup);
    ShardClient.DocumentCall call =
        new ShardClient.DocumentCall(lookup.id(), lookup.realtime(), lookup.storedFields());
    for (CopyAddress copy : copies(state, routing, lookup)) {
      try {
        return client.get(copy, call, TIMEOUT);
      } catch (UnreachableException e) {
        last = last.causedBy(ErrorBody.of(503, "connect_transport_exception", e.toString()));
      } catch (ApiException e) {
        if (e.error().status() < 500 && e.error().status() != 404 && e.error().status() != 409) {
          throw e;
        }
        last = last.causedBy(e.error());
      }
    }
    throw new ApiException(last);
  }

  private List<CopyAddress> copies(ClusterState state, ShardRouting routing, Lookup lookup) {
    List<CopyAddress> started = CopyAddress.started(state, routing);
    return lookup.realtime()
        ? started.stream().filter(copy -> copy.copy().primary()).toList()
        : selector.order(started, lookup.preference());
  }

  private static ErrorBody noCopy(IndexMetadata index, Lookup lookup) {
    return ErrorBody.of(
        503,
        "no_shard_available_action_exception",
        "No shard available for [get ["
            + index.name()
            + "]["
            + lookup.id()
            + "]: routing ["
            + lookup.routing()
            + "]]");
  }
}
