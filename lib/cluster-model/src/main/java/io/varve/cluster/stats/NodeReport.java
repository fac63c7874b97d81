package io.varve.cluster.stats;

import io.varve.rpc.NodeDetails;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The sections of a node's {@code info} and {@code stats} responses. Features add sections of their
 * own.
 */
public final class NodeReport {

  private final Path data;
  private final InstantSource clock;
  private final Pools pools = new Pools();
  private final Traffic traffic = new Traffic();
  private final Map<String, Supplier<Map<String, Object>>> more = new ConcurrentHashMap<>();
  private final Map<String, Supplier<Object>> moreInfo = new ConcurrentHashMap<>();
  private volatile Supplier<Traffic.Server> server = () -> Traffic.Server.NONE;

  /**
   * @param data a folder on the disk to report
   */
  public NodeReport(Path data, InstantSource clock) {
    this.data = data;
    this.clock = clock;
    section("indexing_pressure", IndexingPressure::none);
  }

  public Pools pools() {
    return pools;
  }

  public Traffic traffic() {
    return traffic;
  }

  public void server(Supplier<Traffic.Server> counts) {
    server = counts;
  }

  /** Adds a section to {@code stats}, or replaces one. */
  public void section(String name, Supplier<Map<String, Object>> stats) {
    more.put(name, stats);
  }

  /** Adds a section to {@code info}. */
  public void infoSection(String name, Supplier<Object> stats) {
    moreInfo.put(name, stats);
  }

  public NodeDetails read() {
    return new NodeDetails(info(), stats());
  }

  private Map<String, Object> info() {
    Map<String, Object> info =
        Tree.of(
            "os", MachineStats.osInfo(),
            "process", MachineStats.processInfo(),
            "jvm", JvmStats.info(),
            "thread_pool", pools.info());
    moreInfo.forEach((name, section) -> info.put(name, section.get()));
    return info;
  }

  private Map<String, Object> stats() {
    long now = clock.millis();
    Traffic.Server counts = server.get();
    Map<String, Object> stats =
        Tree.of(
            "timestamp", now,
            "os", MachineStats.os(now),
            "process", MachineStats.process(now),
            "jvm", JvmStats.stats(now),
            "thread_pool", pools.stats(),
            "fs", MachineStats.disk(now, data),
            "transport", traffic.stats(counts),
            "http", Tree.of("current_open", counts.open(), "total_opened", counts.opened()));
    Map<String, Object> added = new LinkedHashMap<>();
    more.forEach((name, section) -> added.put(name, section.get()));
    stats.putAll(added);
    return stats;
  }
}
