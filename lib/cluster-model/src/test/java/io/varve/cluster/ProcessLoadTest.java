package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.NodeHeartbeat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessLoadTest {

  @TempDir private Path folder;

  @Test
  void reportsTheMachineTheHeapAndTheDiskOfTheFolder() throws IOException {
    MachineLoad machine = new MachineLoad(() -> new MachineLoad.Sample(0.25, 3, 7, 1.5), () -> 0);

    NodeHeartbeat.Load load = new ProcessLoad(folder, machine).now();

    assertThat(load.cpuFraction()).isEqualTo(0.25);
    assertThat(load.memoryUsedBytes()).isEqualTo(3);
    assertThat(load.memoryTotalBytes()).isEqualTo(7);
    assertThat(load.load1m()).isEqualTo(1.5);
    assertThat(load.heapMaxBytes()).isEqualTo(Runtime.getRuntime().maxMemory());
    assertThat(load.heapUsedBytes()).isBetween(1L, load.heapMaxBytes());
    assertThat(load.diskTotalBytes()).isEqualTo(Files.getFileStore(folder).getTotalSpace());
    assertThat(load.diskFreeBytes()).isBetween(1L, load.diskTotalBytes());
    assertThat(load.processId()).isEqualTo(ProcessHandle.current().pid());
  }

  @Test
  void theDataFolderMayBeCreatedAndReplacedLater() throws IOException {
    Path data = folder.resolve("data");
    ProcessLoad load = new ProcessLoad(data);
    assertThatThrownBy(load::now).isInstanceOf(UncheckedIOException.class);

    Files.createDirectory(data);
    assertThat(load.now().diskTotalBytes()).isPositive();

    Files.delete(data);
    assertThatThrownBy(load::now).isInstanceOf(UncheckedIOException.class);
    Files.createDirectory(data);
    assertThat(load.now().diskTotalBytes()).isPositive();
  }
}
