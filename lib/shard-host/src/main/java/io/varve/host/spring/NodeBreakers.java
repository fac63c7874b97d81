package io.varve.host.spring;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.HeapShare;
import io.varve.engine.search.aggregation.MemoryBreaker;
import io.varve.host.ShardNode;
import io.varve.memory.HeapWatch;
import io.varve.memory.ParentBreaker;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The circuit breakers for the memory of a node's searches, with limits from the current cluster
 * settings.
 */
public record NodeBreakers(MemoryBreaker requests, MemoryBreaker fields, ParentBreaker parent) {

  static NodeBreakers of(Supplier<ShardNode> node) {
    ParentBreaker parent =
        new ParentBreaker(
            () -> HeapShare.total(node.get().context().cluster().current()),
            () ->
                ClusterSettings.flag(
                    node.get().context().cluster().current(), ClusterSettings.TOTAL_BREAKER_REAL),
            HeapWatch.ofThisProcess());
    return new NodeBreakers(
        new MemoryBreaker(limit(node, ClusterSettings.REQUEST_BREAKER), parent),
        MemoryBreaker.ofFields(limit(node, ClusterSettings.FIELDDATA_BREAKER), parent),
        parent);
  }

  private static LongSupplier limit(Supplier<ShardNode> node, String setting) {
    return () -> HeapShare.bytes(node.get().context().cluster().current(), setting);
  }

  Map<String, Object> stats() {
    Map<String, Object> all = new LinkedHashMap<>(requests.stats());
    all.putAll(fields.stats());
    return all;
  }
}
