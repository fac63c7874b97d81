package io.varve.host.spring;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.HeapShare;
import io.varve.engine.search.aggregation.MemoryBreaker;
import io.varve.host.ShardNode;
import io.varve.memory.HeapWatch;
import io.varve.memory.ParentBreaker;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The circuit breakers for the memory of a node's searches, with limits from the current cluster
 * settings.
 */
public record NodeBreakers(MemoryBreaker requests, MemoryBreaker fields, ParentBreaker parent) {

  static NodeBreakers of(Supplier<ShardNode> node) {
    Supplier<ClusterState> state = () -> node.get().context().cluster().current();
    ParentBreaker parent =
        new ParentBreaker(
            HeapShare.following(state, HeapShare::total),
            () -> ClusterSettings.flag(state.get(), ClusterSettings.TOTAL_BREAKER_REAL),
            HeapWatch.ofThisProcess());
    MemoryBreaker.Limit requests =
        new MemoryBreaker.Limit(
            () -> HeapShare.bytes(state.get(), ClusterSettings.REQUEST_BREAKER),
            () -> ClusterSettings.number(state.get(), ClusterSettings.REQUEST_OVERHEAD));
    MemoryBreaker.Limit fields =
        new MemoryBreaker.Limit(
            () -> HeapShare.bytes(state.get(), ClusterSettings.FIELDDATA_BREAKER),
            () -> ClusterSettings.number(state.get(), ClusterSettings.FIELDDATA_OVERHEAD));
    return new NodeBreakers(
        new MemoryBreaker(requests, parent), MemoryBreaker.ofFields(fields, parent), parent);
  }

  Map<String, Object> stats() {
    Map<String, Object> all = new LinkedHashMap<>(requests.stats());
    all.putAll(fields.stats());
    return all;
  }
}
