package io.varve.load;

import com.sun.management.OperatingSystemMXBean;
import io.varve.engine.Checkpoint;
import io.varve.engine.EngineConfig;
import io.varve.engine.MappingSource;
import io.varve.engine.ShardEngine;
import io.varve.engine.Snapshot;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.rpc.ForceMergeRequest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Measures a whole shard: parses and indexes the documents, then merges them into one segment. */
record IndexRun(Shape shape, List<byte[]> sources) {

  private static final int BUFFER_MEGABYTES = 16;

  /**
   * CPU time covers the whole process, including merges and garbage collection. The store size is
   * that of one segment.
   *
   * @param peerBytes size of the store with stored fields in OpenSearch's layout; 0 if not measured
   */
  record Result(
      long storeBytes, long peerBytes, double documentsPerSecond, double cpuSecondsPer100k) {}

  Result on(CodecSubject subject, Path folder) throws IOException {
    Result written = written(subject, folder);
    long peer =
        subject.equals(CodecSubject.LZ4)
            ? written.storeBytes()
                - PeerStore.storedBytes(folder)
                + PeerStore.inLayoutOfPeer(folder)
            : 0;
    return new Result(
        written.storeBytes(), peer, written.documentsPerSecond(), written.cpuSecondsPer100k());
  }

  private Result written(CodecSubject subject, Path folder) {
    MappingSource.Versioned mapping = new MappingSource.Versioned(1, shape.mapping());
    EngineConfig config =
        new EngineConfig(new ShardId("bench", 0), folder, 1, BUFFER_MEGABYTES, subject.settings());
    try (ShardEngine engine = ShardEngine.open(config, () -> mapping)) {
      double cpu = cpuSeconds();
      long began = System.nanoTime();
      for (int i = 0; i < sources.size(); i++) {
        engine.apply(i, new Operation(1, i, 1, 1, "id" + i, null, sources.get(i), null), null);
      }
      show(engine);
      double seconds = (System.nanoTime() - began) / 1e9;
      double used = cpuSeconds() - cpu;
      engine.forceMerge(new ForceMergeRequest(1, false, false));
      show(engine);
      long bytes = engine.stats().contents().storeBytes();
      return new Result(bytes, 0, sources.size() / seconds, used * 100_000 / sources.size());
    }
  }

  private void show(ShardEngine engine) {
    Checkpoint all = new Checkpoint(sources.size(), sources.size(), 1, sources.size() - 1);
    Snapshot snapshot = engine.refresh(all);
    if (snapshot != null) {
      snapshot.close();
    }
    engine.commit(all, Map.of());
  }

  private static double cpuSeconds() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1e9;
  }
}
