package io.varve.cluster.stats;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadMXBean;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Statistics of the JVM. Memory pools and collectors have the names that tools expect, whatever the
 * collector calls them: {@code young}, {@code survivor}, {@code old}. A pool that the collector
 * does not have is reported with zeros.
 */
final class JvmStats {

  private static final long MAX_POINTERS_COMPRESSED_BYTES = 32L << 30;

  private JvmStats() {}

  static Map<String, Object> info() {
    RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    MemoryUsage heap = memory.getHeapMemoryUsage();
    MemoryUsage other = memory.getNonHeapMemoryUsage();
    return Tree.of(
        "pid",
        runtime.getPid(),
        "version",
        System.getProperty("java.version"),
        "vm_name",
        runtime.getVmName(),
        "vm_version",
        runtime.getVmVersion(),
        "vm_vendor",
        runtime.getVmVendor(),
        "bundled_jdk",
        false,
        "using_bundled_jdk",
        false,
        "start_time_in_millis",
        runtime.getStartTime(),
        "mem",
        Tree.of(
            "heap_init_in_bytes", Math.max(0, heap.getInit()),
            "heap_max_in_bytes", Math.max(0, heap.getMax()),
            "non_heap_init_in_bytes", Math.max(0, other.getInit()),
            "non_heap_max_in_bytes", Math.max(0, other.getMax()),
            "direct_max_in_bytes", Math.max(0, heap.getMax())),
        "gc_collectors",
        List.copyOf(collectors().keySet()),
        "memory_pools",
        ManagementFactory.getMemoryPoolMXBeans().stream().map(MemoryPoolMXBean::getName).toList(),
        "using_compressed_ordinary_object_pointers",
        Boolean.toString(heap.getMax() < MAX_POINTERS_COMPRESSED_BYTES),
        "input_arguments",
        runtime.getInputArguments());
  }

  static Map<String, Object> stats(long nowMillis) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    return Tree.of(
        "timestamp",
        nowMillis,
        "uptime_in_millis",
        ManagementFactory.getRuntimeMXBean().getUptime(),
        "mem",
        memory(),
        "threads",
        Tree.of("count", threads.getThreadCount(), "peak_count", threads.getPeakThreadCount()),
        "gc",
        Tree.of("collectors", collectors()),
        "buffer_pools",
        bufferPools(),
        "classes",
        Tree.of(
            "current_loaded_count", classes.getLoadedClassCount(),
            "total_loaded_count", classes.getTotalLoadedClassCount(),
            "total_unloaded_count", classes.getUnloadedClassCount()));
  }

  private static Map<String, Object> memory() {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    MemoryUsage other = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
    return Tree.of(
        "heap_used_in_bytes", heap.getUsed(),
        "heap_used_percent", Tree.percent(heap.getUsed(), heap.getMax()),
        "heap_committed_in_bytes", heap.getCommitted(),
        "heap_max_in_bytes", Math.max(0, heap.getMax()),
        "non_heap_used_in_bytes", other.getUsed(),
        "non_heap_committed_in_bytes", other.getCommitted(),
        "pools", pools());
  }

  private static Map<String, Object> pools() {
    Map<String, Object> pools = new LinkedHashMap<>();
    for (String name : List.of("young", "survivor", "old")) {
      pools.put(name, pool(NOTHING, NOTHING, NOTHING));
    }
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      String name = generation(pool.getName());
      if (pool.getType() == MemoryType.HEAP && pools.containsKey(name)) {
        pools.put(name, pool(pool.getUsage(), pool.getPeakUsage(), pool.getCollectionUsage()));
      }
    }
    return pools;
  }

  private static final MemoryUsage NOTHING = new MemoryUsage(0, 0, 0, 0);

  private static Map<String, Object> pool(MemoryUsage now, MemoryUsage peak, MemoryUsage afterGc) {
    MemoryUsage collected = afterGc == null ? NOTHING : afterGc;
    return Tree.of(
        "used_in_bytes",
        now.getUsed(),
        "max_in_bytes",
        Math.max(0, now.getMax()),
        "peak_used_in_bytes",
        peak.getUsed(),
        "peak_max_in_bytes",
        Math.max(0, peak.getMax()),
        "last_gc_stats",
        Tree.of(
            "used_in_bytes", collected.getUsed(),
            "max_in_bytes", Math.max(0, collected.getMax()),
            "usage_percent", Tree.percent(collected.getUsed(), collected.getMax())));
  }

  /** {@code young}, {@code survivor} or {@code old}, or the pool's own name. */
  static String generation(String poolName) {
    String name = poolName.toLowerCase(Locale.ROOT);
    if (name.contains("eden") || name.contains("young gen")) {
      return "young";
    }
    if (name.contains("survivor")) {
      return "survivor";
    }
    return name.contains("old gen") || name.contains("tenured") ? "old" : poolName;
  }

  private static Map<String, Object> collectors() {
    Map<String, Object> collectors = new LinkedHashMap<>();
    collectors.put("young", collector(0, 0));
    collectors.put("old", collector(0, 0));
    for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
      collectors.put(
          collectorName(bean.getName()),
          collector(Math.max(0, bean.getCollectionCount()), Math.max(0, bean.getCollectionTime())));
    }
    return collectors;
  }

  private static Map<String, Object> collector(long count, long millis) {
    return Tree.of("collection_count", count, "collection_time_in_millis", millis);
  }

  /** {@code young} or {@code old} for those that collect a generation, else the bean's own name. */
  static String collectorName(String beanName) {
    return switch (beanName) {
      case "Copy", "PS Scavenge", "G1 Young Generation", "ZGC Minor Cycles" -> "young";
      case "MarkSweepCompact", "PS MarkSweep", "G1 Old Generation", "ZGC Major Cycles" -> "old";
      default -> beanName;
    };
  }

  private static Map<String, Object> bufferPools() {
    Map<String, Object> pools = new LinkedHashMap<>();
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      pools.put(
          pool.getName(),
          Tree.of(
              "count", pool.getCount(),
              "used_in_bytes", Math.max(0, pool.getMemoryUsed()),
              "total_capacity_in_bytes", Math.max(0, pool.getTotalCapacity())));
    }
    return pools;
  }
}
