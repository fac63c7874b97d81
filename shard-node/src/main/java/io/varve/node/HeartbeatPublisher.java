package io.varve.node;

import com.sun.management.OperatingSystemMXBean;
import io.varve.cluster.Topics;
import io.varve.events.Json;
import io.varve.events.NodeHeartbeat;
import io.varve.events.RawRecord;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says that this node lives, and how it fares. */
public final class HeartbeatPublisher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatPublisher.class);

  private final NodeIdentity identity;
  private final NodeSettings settings;
  private final InstantSource clock;
  private final String url;
  private final PartitionLog log;
  private final AtomicBoolean silent = new AtomicBoolean();
  private final Thread thread;

  /** {@code url} is where this node's HTTP endpoints are. */
  public HeartbeatPublisher(NodeContext node, String url) {
    this.identity = node.identity();
    this.settings = node.settings();
    this.clock = node.clock();
    this.url = url;
    this.log =
        node.log()
            .open(
                node.topics().nodes(),
                Topics.partitionOf(identity.nodeId(), Topics.NODES_PARTITIONS));
    this.thread = Thread.ofVirtual().name("heartbeat").unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        publish();
        Thread.sleep(settings.heartbeatMillis());
      }
    } catch (InterruptedException e) {
      LOG.debug("no more signs of life");
    }
  }

  private void publish() {
    try {
      log.append(
          RawRecord.keyed(
              identity.nodeId().getBytes(StandardCharsets.UTF_8), Json.write(current())),
          new PartitionLog.AppendCallback() {
            @Override
            public void appended(long offset, long timestampMillis) {
              silent.set(false);
            }

            @Override
            public void unknown(String reason) {
              notHeard(reason);
            }
          });
    } catch (LogException.Full | RuntimeException e) {
      notHeard(e.toString());
    }
  }

  private void notHeard(String reason) {
    if (silent.compareAndSet(false, true)) {
      LOG.warn("the log does not take signs of life: {}", reason);
    }
  }

  /** What is published, as of now. */
  public NodeHeartbeat current() {
    return new NodeHeartbeat(
        identity.nodeId(),
        identity.name(),
        identity.incarnation(),
        identity.roles(),
        url,
        clock.millis(),
        load());
  }

  private NodeHeartbeat.Load load() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    long diskTotal = 0;
    long diskFree = 0;
    try {
      FileStore store = Files.getFileStore(settings.data());
      diskTotal = store.getTotalSpace();
      diskFree = store.getUsableSpace();
    } catch (IOException e) {
      LOG.debug("the size of the disk is not known", e);
    }
    return new NodeHeartbeat.Load(
        Math.max(0, system.getCpuLoad()),
        heap.getUsed(),
        heap.getMax(),
        system.getTotalMemorySize() - system.getFreeMemorySize(),
        system.getTotalMemorySize(),
        Math.max(0, system.getSystemLoadAverage()),
        diskTotal,
        diskFree,
        ProcessHandle.current().pid(),
        ManagementFactory.getRuntimeMXBean().getStartTime());
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
