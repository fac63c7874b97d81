package io.varve.coordinator.rest.index;

import io.varve.client.CopyReader;
import io.varve.cluster.ActiveShards;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexNames;
import io.varve.cluster.IndexSettings;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.DateMathName;
import io.varve.coordinator.rest.DocumentTargets;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code _rollover}: moves an alias to a new index if its current write index meets a condition.
 */
public final class RolloverEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final CopyReader reader;
  private final InstantSource clock;

  public RolloverEndpoint(ClusterAccess cluster, CopyReader reader, InstantSource clock) {
    this.cluster = cluster;
    this.reader = reader;
    this.clock = clock;
  }

  /** The parsed request. */
  private record Request(
      String alias,
      @Nullable String newIndex,
      RolloverConditions conditions,
      Map<String, Object> body,
      boolean dryRun) {}

  /** The timeouts, and the number of active copies to wait for. */
  private record Waits(Duration change, Duration active, @Nullable ActiveShards copies) {}

  @Override
  public List<Route> routes() {
    return Route.of(
        List.of(RestMethod.POST), "/{index}/_rollover", "/{index}/_rollover/{new_index}");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"conditions\":{\"max_age\":\"7d\",\"max_docs\":1000000}}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    ActiveShards copies = ActiveShardWait.asked(request);
    Waits waits = new Waits(request.clusterManagerTimeout(), request.ackTimeout(), copies);
    Map<String, Object> body = new LinkedHashMap<>(request.bodyAsMap());
    Object conditions = body.remove("conditions");
    Request wanted =
        new Request(
            request.required("index"),
            request.param("new_index"),
            RolloverConditions.read(conditions instanceof Map<?, ?> map ? map : Map.of()),
            body,
            request.flag("dry_run", false));
    return responder -> run(wanted, waits, responder);
  }

  private void run(Request wanted, Waits waits, RestResponder responder)
      throws InterruptedException {
    ClusterState state = cluster.state();
    IndexMetadata old = writeIndex(state, wanted.alias());
    String provided =
        wanted.newIndex() == null
            ? RolloverNames.next(
                old.settings().getOrDefault(IndexSettings.PROVIDED_NAME, old.name()))
            : wanted.newIndex();
    String name = DateMathName.resolve(provided);
    refuseName(state, name);
    ClusterCommand.CreateIndex create = IndexBody.read(name, provided, wanted.body());
    Map<String, Boolean> results = wanted.conditions().results(size(state, old));
    boolean met = wanted.conditions().none() || results.containsValue(true);
    boolean rolledOver = met && !wanted.dryRun();
    boolean acknowledged = false;
    boolean active = false;
    if (rolledOver) {
      cluster.change(
          new ClusterCommand.RollOver(wanted.alias(), old.name(), create), waits.change());
      acknowledged = cluster.awaitAcknowledged(waits.active());
      active = acknowledged && ActiveShardWait.await(cluster, name, waits.copies(), waits.active());
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("acknowledged", acknowledged);
    answer.put("shards_acknowledged", active);
    answer.put("old_index", old.name());
    answer.put("new_index", name);
    answer.put("rolled_over", rolledOver);
    answer.put("dry_run", wanted.dryRun());
    answer.put("conditions", results);
    responder.json(200, answer);
  }

  private static IndexMetadata writeIndex(ClusterState state, String alias) {
    List<IndexMetadata> indices = IndexResolver.aliases(state).get(alias);
    if (indices == null) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              state.indices().containsKey(alias)
                  ? "rollover target is a [concrete index] but one of [alias,data_stream] was"
                      + " expected"
                  : "rollover target [" + alias + "] does not exist"));
    }
    return DocumentTargets.writeIndex(alias, indices)
        .orElseThrow(() ->
            new ApiException(
                ErrorBody.illegalArgument(
                    "rollover target [" + alias + "] does not point to a write index")));
  }

  private static void refuseName(ClusterState state, String name) {
    IndexNames.refusal(name)
        .ifPresent(error -> {
          throw new ApiException(error);
        });
    IndexMetadata present = state.indices().get(name);
    if (present != null) {
      throw new ApiException(
          ErrorBody.of(
                  400,
                  "resource_already_exists_exception",
                  "index [" + name + "/" + present.uuid() + "] already exists")
              .with("index", name)
              .with("index_uuid", present.uuid()));
    }
  }

  private RolloverConditions.IndexSize size(ClusterState state, IndexMetadata index)
      throws InterruptedException {
    long docs = 0;
    long bytes = 0;
    for (CopyReader.Answer<CopyStats> answer : reader.stats(state, List.of(index))) {
      CopyStats stats = answer.reported();
      if (answer.primary() && stats != null) {
        docs += stats.contents().docs();
        bytes += stats.contents().storeBytes();
      }
    }
    return new RolloverConditions.IndexSize(clock.millis() - index.createdMillis(), docs, bytes);
  }
}
