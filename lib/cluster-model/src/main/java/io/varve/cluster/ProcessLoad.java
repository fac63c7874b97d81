package io.varve.cluster;

import com.sun.management.OperatingSystemMXBean;
import io.varve.events.NodeHeartbeat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** The load of this process and its machine, for heartbeats. */
public final class ProcessLoad {

  private ProcessLoad() {}

  /** The current load, including that of the disk of the folder {@code data}. */
  public static NodeHeartbeat.Load now(Path data) {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    Runtime runtime = Runtime.getRuntime();
    try {
      FileStore disk = Files.getFileStore(data);
      return new NodeHeartbeat.Load(
          Math.max(0, system.getCpuLoad()),
          runtime.totalMemory() - runtime.freeMemory(),
          runtime.maxMemory(),
          system.getTotalMemorySize() - system.getFreeMemorySize(),
          system.getTotalMemorySize(),
          Math.max(0, system.getSystemLoadAverage()),
          disk.getTotalSpace(),
          disk.getUsableSpace(),
          ProcessHandle.current().pid(),
          ManagementFactory.getRuntimeMXBean().getStartTime());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
