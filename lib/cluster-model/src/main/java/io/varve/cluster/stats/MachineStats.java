package io.varve.cluster.stats;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Statistics of the operating system, of this process, and of the disk of its data folder. */
final class MachineStats {

  private static final Path LOAD = Path.of("/proc/loadavg");
  private static final long REFRESHED_MILLIS = 1000;

  private MachineStats() {}

  private static OperatingSystemMXBean system() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  }

  static Map<String, Object> osInfo() {
    OperatingSystemMXBean system = system();
    return Tree.of(
        "refresh_interval_in_millis", REFRESHED_MILLIS,
        "name", system.getName(),
        "pretty_name", system.getName(),
        "arch", system.getArch(),
        "version", system.getVersion(),
        "available_processors", system.getAvailableProcessors(),
        "allocated_processors", Runtime.getRuntime().availableProcessors());
  }

  static Map<String, Object> os(long nowMillis) {
    OperatingSystemMXBean system = system();
    long total = system.getTotalMemorySize();
    long free = system.getFreeMemorySize();
    long swap = system.getTotalSwapSpaceSize();
    long freeSwap = system.getFreeSwapSpaceSize();
    return Tree.of(
        "timestamp",
        nowMillis,
        "cpu",
        Tree.of("percent", percent(system.getCpuLoad()), "load_average", loads()),
        "mem",
        Tree.of(
            "total_in_bytes",
            total,
            "free_in_bytes",
            free,
            "used_in_bytes",
            total - free,
            "free_percent",
            Tree.percent(free, total),
            "used_percent",
            Tree.percent(total - free, total)),
        "swap",
        Tree.of(
            "total_in_bytes", swap,
            "free_in_bytes", freeSwap,
            "used_in_bytes", swap - freeSwap));
  }

  /** In whole percent; -1 if the system does not provide it. */
  private static long percent(double fraction) {
    return fraction < 0 ? -1 : Math.round(100 * fraction);
  }

  /**
   * Load averages: over one minute on all systems, over five and fifteen minutes where the kernel
   * provides them.
   */
  private static Map<String, Object> loads() {
    Map<String, Object> loads = new LinkedHashMap<>();
    if (Files.isReadable(LOAD)) {
      try {
        String[] parts = Files.readString(LOAD, StandardCharsets.US_ASCII).split(" ", -1);
        loads.put("1m", Double.parseDouble(parts[0]));
        loads.put("5m", Double.parseDouble(parts[1]));
        loads.put("15m", Double.parseDouble(parts[2]));
        return loads;
      } catch (IOException | NumberFormatException e) {
        loads.clear();
      }
    }
    loads.put("1m", system().getSystemLoadAverage());
    return loads;
  }

  static Map<String, Object> processInfo() {
    return Tree.of(
        "refresh_interval_in_millis",
        REFRESHED_MILLIS,
        "id",
        ProcessHandle.current().pid(),
        "mlockall",
        false);
  }

  static Map<String, Object> process(long nowMillis) {
    OperatingSystemMXBean system = system();
    long open = -1;
    long max = -1;
    if (system instanceof UnixOperatingSystemMXBean unix) {
      open = unix.getOpenFileDescriptorCount();
      max = unix.getMaxFileDescriptorCount();
    }
    return Tree.of(
        "timestamp",
        nowMillis,
        "open_file_descriptors",
        open,
        "max_file_descriptors",
        max,
        "cpu",
        Tree.of(
            "percent",
            percent(system.getProcessCpuLoad()),
            "total_in_millis",
            system.getProcessCpuTime() / 1_000_000),
        "mem",
        Tree.of("total_virtual_in_bytes", system.getCommittedVirtualMemorySize()));
  }

  static Map<String, Object> disk(long nowMillis, Path data) {
    try {
      FileStore store = Files.getFileStore(data);
      Map<String, Object> sizes =
          Tree.of(
              "total_in_bytes", store.getTotalSpace(),
              "free_in_bytes", store.getUnallocatedSpace(),
              "available_in_bytes", store.getUsableSpace());
      Map<String, Object> folder =
          Tree.of(
              "path",
              data.toAbsolutePath().toString(),
              "mount",
              store.toString(),
              "type",
              store.type());
      folder.putAll(sizes);
      return Tree.of("timestamp", nowMillis, "total", sizes, "data", List.of(folder));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
