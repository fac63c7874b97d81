package io.varve.load.growth;

import io.varve.client.CopyAddress;
import io.varve.client.routing.LaggingCopies;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.SearchIndex;
import io.varve.coordinator.rest.cluster.ClusterStateEndpoint;
import io.varve.coordinator.rest.cluster.HealthEndpoint;
import io.varve.coordinator.rest.cluster.UnassignedTimes;
import io.varve.load.growth.GrowthRow.Unit;
import io.varve.load.growth.StateBench.Cost;
import io.varve.rest.BodyFormat;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Requests to a coordinator that it answers from the state, and its listeners of the state. */
final class RequestCosts {

  private final LargeCluster cluster;
  private final ClusterState state;
  private final CpuMeter meter;
  private final KnownCluster known;

  RequestCosts(LargeCluster cluster, CpuMeter meter) {
    this.cluster = cluster;
    this.state = cluster.state();
    this.meter = meter;
    this.known = new KnownCluster(cluster);
  }

  List<Cost> all() {
    RestEndpoint shown = new ClusterStateEndpoint(known);
    RestEndpoint health = new HealthEndpoint(known);
    LaggingCopies laggards = new LaggingCopies(known);
    UnassignedTimes times = new UnassignedTimes(known, InstantSource.system());
    return List.of(
        time("resolve the name of an index", Growth.CONSTANT, this::named),
        time("resolve an alias of 1,000 shards", Growth.CONSTANT, () -> search("many")),
        time("resolve *", Growth.LINEAR, () -> search("*")),
        time(
            "route a search over 1,000 shards",
            Growth.CONSTANT,
            () -> routed(search(LargeCluster.ALIAS), laggards)),
        time("_cluster/health", Growth.LINEAR, () -> answer(health, "/_cluster/health")),
        time("_cluster/state", Growth.LINEAR, () -> answer(shown, "/_cluster/state")),
        new Cost(
            "bytes of _cluster/state",
            Unit.BYTES,
            Growth.LINEAR,
            () -> (double) answer(shown, "/_cluster/state").length),
        time(
            "times of unassigned copies, per event",
            Growth.CONSTANT,
            () -> {
              known.publish();
              return times;
            }));
  }

  private Cost time(String name, Growth expected, Supplier<?> call) {
    return new Cost(name, Unit.TIME, expected, () -> meter.nanos(call));
  }

  private Object named() {
    return IndexResolver.search(state, cluster.anyIndex().name(), IndexOptions.LENIENT, null);
  }

  private List<SearchIndex> search(String expression) {
    return IndexResolver.search(state, expression, IndexOptions.LENIENT, null);
  }

  /** The copies that a search asks, in their order, shard by shard. */
  private List<List<CopyAddress>> routed(List<SearchIndex> indices, LaggingCopies laggards) {
    List<List<CopyAddress>> copies = new ArrayList<>();
    for (SearchIndex index : indices) {
      for (ShardRouting shard : index.index().shards()) {
        copies.add(laggards.last(CopyAddress.started(state, shard)));
      }
    }
    return copies;
  }

  private static byte[] answer(RestEndpoint endpoint, String path) {
    RestRequest request = new RestRequest(RestMethod.GET, path, Map.of(), new byte[0]);
    RestResponder responder = new RestResponder(false, null, BodyFormat.JSON);
    try {
      endpoint.prepare(request).run(responder);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    return responder.bytes();
  }
}
