package io.varve.coordinator.rest.document;

import io.varve.client.Abort;
import io.varve.client.CopyAddress;
import io.varve.client.PrimaryCalls;
import io.varve.client.ShardClient;
import io.varve.client.consistency.PromisedReads;
import io.varve.client.consistency.PromisedReads.Waiting;
import io.varve.client.consistency.ReadPromise;
import io.varve.client.consistency.Reading;
import io.varve.client.routing.CopySelector;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.RoutingHash;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.DocumentTargets;
import io.varve.coordinator.rest.consistency.ReadPromises;
import io.varve.events.ShardId;
import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.DocumentsWire.Result;
import io.varve.rpc.DocumentsWire.Wanted;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.search.mapping.Mapping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents by id.
 *
 * <p>Realtime reads of a strongly consistent index ask only the primary, which knows the operations
 * that all copies hold.
 *
 * <p>A realtime read asks the primary, which has operations that are not yet visible. A realtime
 * read that prefers replicas asks a replica to answer as of the end of the log, and asks the
 * primary if the replica does not find the document. All other reads, and all reads of an index
 * without writers, ask the copies in the selector's order.
 *
 * <p>If the primary does not answer, replicas are asked to answer as of the end of the log, and the
 * read waits for a new primary until its timeout (see {@link Reading}). A call that hangs at a
 * primary is abandoned when another primary takes over.
 */
public final class DocumentFetcher {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /**
   * Limits the call to a replica that is asked first, so that a hanging replica leaves time for
   * other copies.
   */
  private static final Duration SUBSTITUTE_TIMEOUT = Duration.ofSeconds(1);

  private final ClusterAccess cluster;
  private final ShardClient client;
  private final CopySelector selector;
  private final PromisedReads reads;
  private final PrimaryCalls calls;
  private final Visibility visibility;

  public DocumentFetcher(
      ClusterAccess cluster,
      ShardClient client,
      CopySelector selector,
      PromisedReads reads,
      PrimaryCalls calls,
      Visibility visibility) {
    this.cluster = cluster;
    this.client = client;
    this.calls = calls;
    this.reads = reads;
    this.selector = selector;
    this.visibility = visibility;
  }

  /**
   * The way to read documents.
   *
   * @param refresh whether to refresh before reading
   */
  record Manner(
      boolean realtime, boolean refresh, @Nullable String preference, ReadPromise promise) {

    static final Manner REALTIME = new Manner(true, false, null, ReadPromise.NONE);

    /**
     * Returns this manner for an index without writers, all of whose operations are visible to
     * searches.
     */
    Manner visible() {
      return new Manner(false, refresh, preference, promise);
    }

    static Manner of(RestRequest request) {
      return new Manner(
          request.flag("realtime", true),
          request.flag("refresh", false),
          request.param("preference"),
          ReadPromises.of(request));
    }
  }

  /** A document to read, and the way to read it. */
  record Lookup(String id, @Nullable String routing, Manner manner, Set<String> storedFields) {

    Lookup routedBy(@Nullable String newRouting) {
      return new Lookup(id, newRouting, manner, storedFields);
    }

    static Lookup of(String id, @Nullable String routing) {
      return new Lookup(id, routing, Manner.REALTIME, Set.of());
    }
  }

  /** Returns the index with that name, or the only index of the alias with that name. */
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

  /** Returns the source of a document; null if it does not exist. */
  public byte @Nullable [] source(String index, String id, @Nullable String routing)
      throws InterruptedException {
    return get(target(index), Lookup.of(id, routing)).source();
  }

  GetResult get(DocumentTargets.Found target, Lookup lookup) throws InterruptedException {
    return get(target.index(), lookup.routedBy(target.routing(lookup.routing())));
  }

  GetResult get(IndexMetadata index, Lookup lookup) throws InterruptedException {
    ShardId shard = shard(index, lookup);
    return switch (read(index, shard, List.of(lookup)).getFirst()) {
      case Answer.Read(var result) -> result;
      case Answer.Failed(var error) -> throw new ApiException(error);
    };
  }

  /** The result for one document. */
  sealed interface Answer {
    record Read(GetResult result) implements Answer {}

    record Failed(ErrorBody error) implements Answer {}
  }

  /** Returns the shard of the document; throws if the lookup is invalid. */
  static ShardId shard(IndexMetadata index, Lookup lookup) {
    RequiredRouting.refusal(index, lookup.id(), lookup.routing())
        .ifPresent(error -> {
          throw new ApiException(error);
        });
    if (!lookup.storedFields().isEmpty()) {
      StoredFields.check(lookup.storedFields(), Mapping.parse(index.mapping()));
    }
    return new ShardId(index.uuid(), RoutingHash.shardOf(index, lookup.id(), lookup.routing()));
  }

  /**
   * Reads documents of one shard with one call. Returns one answer per lookup, in order.
   *
   * @param lookups at least one lookup, all with the same manner
   */
  List<Answer> read(IndexMetadata index, ShardId shard, List<Lookup> lookups)
      throws InterruptedException {
    Manner asked = lookups.getFirst().manner();
    if (asked.refresh()) {
      visibility.refreshBeforeRead(shard, TIMEOUT);
    }
    ClusterState state = cluster.state();
    ShardRouting routing = index.shard(shard.number());
    Manner manner = routing.released() ? asked.visible() : asked;
    boolean strong = manner.realtime() && IndexSettings.isStrong(index.settings());
    boolean anyCopy = manner.realtime() && manner.preference() != null && !strong;
    boolean fromReplica = anyCopy && prefersReplica(CopyAddress.started(state, routing), manner);
    ReadPromise promise = fromReplica || strong ? manner.promise().strong() : manner.promise();
    List<Wanted> wanted =
        lookups.stream().map(lookup -> new Wanted(lookup.id(), lookup.storedFields())).toList();
    boolean fromPrimary = manner.realtime() && !fromReplica;
    PromisedReads.Outcome<List<Result>> outcome =
        reads.read(
            state,
            routing,
            new PromisedReads.Options(
                started -> copies(started, manner, fromReplica),
                started -> fromPrimary && !strong ? replicas(started) : List.of(),
                DocumentFetcher::isFinal,
                manner.realtime() ? new Waiting.ForPrimary() : new Waiting.ForStarted()),
            Reading.begin(promise, state, cluster.clock()),
            (copy, _, demand) ->
                new PromisedReads.Reply<>(
                    copy,
                    ask(
                        copy,
                        new ShardClient.DocumentsCall(
                            wanted, manner.realtime(), demand, new Abort()),
                        fromPrimary && !copy.copy().primary() ? SUBSTITUTE_TIMEOUT : TIMEOUT)));
    return switch (outcome) {
      case PromisedReads.Outcome.Answered<List<Result>>(var _, var results) ->
          results.stream().map(DocumentFetcher::answer).toList();
      case PromisedReads.Outcome.Failed<List<Result>>(var _, var error) -> {
        boolean asIs = isFinal(error) || (error.status() == 504 && !promise.isNone());
        yield lookups.stream()
            .<Answer>map(
                lookup -> new Answer.Failed(asIs ? error : noCopy(index, lookup).causedBy(error)))
            .toList();
      }
    };
  }

  private static Answer answer(Result result) {
    return switch (result) {
      case Result.Read(var read) -> new Answer.Read(read);
      case Result.Failed(var error) -> new Answer.Failed(error);
    };
  }

  private List<Result> ask(CopyAddress copy, ShardClient.DocumentsCall call, Duration timeout)
      throws InterruptedException {
    if (!copy.copy().primary()) {
      return client.get(copy, call, timeout);
    }
    try (PrimaryCalls.Pending _ = calls.ofCopy(copy, call.abort())) {
      return client.get(copy, call, timeout);
    }
  }

  private List<CopyAddress> replicas(List<CopyAddress> started) {
    return selector.order(started, null).stream().filter(copy -> !copy.copy().primary()).toList();
  }

  private boolean prefersReplica(List<CopyAddress> started, Manner manner) {
    List<CopyAddress> preferred = selector.order(started, manner.preference());
    return !preferred.isEmpty() && !preferred.getFirst().copy().primary();
  }

  private List<CopyAddress> copies(List<CopyAddress> started, Manner manner, boolean fromReplica) {
    if (!manner.realtime()) {
      return selector.order(started, manner.preference());
    }
    List<CopyAddress> primary = started.stream().filter(copy -> copy.copy().primary()).toList();
    if (!fromReplica) {
      return primary;
    }
    List<CopyAddress> copies = new ArrayList<>(selector.order(started, manner.preference()));
    copies.removeAll(primary);
    copies.addAll(primary);
    return copies;
  }

  /**
   * Whether other copies would fail with the same error. This excludes 404 and 409, which mean that
   * the copy is not, or no longer, on that node.
   */
  private static boolean isFinal(ErrorBody error) {
    return error.status() < 500 && error.status() != 404 && error.status() != 409;
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
