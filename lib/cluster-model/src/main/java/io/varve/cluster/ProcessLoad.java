package io.varve.cluster;

import io.varve.events.NodeHeartbeat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The load of this process, of its machine, and of the disk of its data folder, for heartbeats.
 *
 * <p>The search for the file system of a folder reads the table of all mounts, so it is done once.
 * Its sizes are those of the path at the time of each call, even if another file system was mounted
 * there since.
 */
final class ProcessLoad {

  private static final long PROCESS_ID = ProcessHandle.current().pid();

  private static final long STARTED_MILLIS = ManagementFactory.getRuntimeMXBean().getStartTime();

  private final MachineLoad machine;
  private final Path data;
  private volatile @Nullable FileStore disk;

  /** The load including that of the disk of the folder {@code data}, which may not exist yet. */
  ProcessLoad(Path data) {
    this(data, MachineLoad.SHARED);
  }

  ProcessLoad(Path data, MachineLoad machine) {
    this.data = data;
    this.machine = machine;
  }

  NodeHeartbeat.Load now() {
    MachineLoad.Sample sample = machine.now();
    Runtime runtime = Runtime.getRuntime();
    try {
      FileStore store = disk();
      return new NodeHeartbeat.Load(
          sample.cpuFraction(),
          runtime.totalMemory() - runtime.freeMemory(),
          runtime.maxMemory(),
          sample.memoryUsedBytes(),
          sample.memoryTotalBytes(),
          sample.load1m(),
          store.getTotalSpace(),
          store.getUsableSpace(),
          PROCESS_ID,
          STARTED_MILLIS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private FileStore disk() throws IOException {
    FileStore found = disk;
    if (found == null) {
      found = Files.getFileStore(data);
      disk = found;
    }
    return found;
  }
}
