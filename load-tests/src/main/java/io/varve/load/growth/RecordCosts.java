package io.varve.load.growth;

import io.varve.cluster.Topics;
import io.varve.control.NodeTracker;
import io.varve.control.ProgressTracker;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.load.growth.GrowthRow.Unit;
import io.varve.load.growth.StateBench.Cost;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Heartbeats and progress records: their number, and the cost of reading them. */
final class RecordCosts {

  /** The default of {@code varve.node.heartbeat-millis}. */
  private static final double HEARTBEATS_PER_SECOND = 2;

  /** An idle copy reports every 30 s. */
  private static final double REPORTS_PER_SECOND = 1 / 30.0;

  private static final int DISTINCT = 10_000;

  private final LargeCluster cluster;
  private final CpuMeter meter;
  private final Topics topics = new Topics("large", 1);

  RecordCosts(LargeCluster cluster, CpuMeter meter) {
    this.cluster = cluster;
    this.meter = meter;
  }

  List<Cost> all() {
    double heartbeats = HEARTBEATS_PER_SECOND * cluster.size().nodes();
    double reports = REPORTS_PER_SECOND * cluster.size().copies();
    return List.of(
        new Cost("heartbeats", Unit.RATE, Growth.LINEAR, () -> heartbeats),
        new Cost("read a heartbeat", Unit.TIME, Growth.CONSTANT, this::readHeartbeat),
        new Cost("progress records of idle copies", Unit.RATE, Growth.LINEAR, () -> reports),
        new Cost(
            "bytes of these records in a second",
            Unit.BYTES,
            Growth.LINEAR,
            () -> reports * Json.write(cluster.anyProgress()).length),
        new Cost("read a progress record", Unit.TIME, Growth.CONSTANT, this::readProgress),
        new Cost(
            "read the progress records of a second",
            Unit.TIME,
            Growth.LINEAR,
            () -> reports * readProgress()));
  }

  private double readHeartbeat() {
    InMemoryMessageLog log = new InMemoryMessageLog(Runnable::run, () -> 0);
    List<RawRecord> records =
        IntStream.range(0, cluster.size().nodes())
            .mapToObj(LargeCluster::heartbeat)
            .map(beat -> record(beat.nodeId(), beat))
            .toList();
    NodeTracker.Own own = new NodeTracker.Own("reader", "reader-1", 500);
    try (NodeTracker tracker = new NodeTracker(log, topics, () -> 0, own, Runnable::run)) {
      tracker.start();
      return meter.nanos(new Appends(log.open(topics.nodes(), 0), records));
    } catch (LogException e) {
      throw new IllegalStateException(e);
    }
  }

  private double readProgress() {
    InMemoryMessageLog log = new InMemoryMessageLog(Runnable::run, () -> 0);
    List<RawRecord> records =
        IntStream.range(0, DISTINCT)
            .mapToObj(_ -> cluster.anyProgress())
            .map(progress -> record(progress.copyId(), progress))
            .toList();
    try (ProgressTracker tracker = new ProgressTracker(log, topics, () -> 0, Runnable::run)) {
      tracker.start();
      return meter.nanos(new Appends(log.open(topics.progress(), 0), records));
    } catch (LogException e) {
      throw new IllegalStateException(e);
    }
  }

  private static RawRecord record(String key, Object value) {
    return RawRecord.keyed(key.getBytes(StandardCharsets.UTF_8), Json.write(value));
  }

  /** Appends a record, whose reader runs on the same thread; the log stays short. */
  private static final class Appends implements Supplier<Long> {
    private final PartitionLog partition;
    private final List<RawRecord> records;
    private long appended;

    Appends(PartitionLog partition, List<RawRecord> records) {
      this.partition = partition;
      this.records = records;
    }

    @Override
    public Long get() {
      try {
        partition.append(records.get((int) (appended++ % records.size())), IGNORED);
        if (appended % DISTINCT == 0) {
          partition.truncateBefore(appended);
        }
      } catch (LogException e) {
        throw new IllegalStateException(e);
      }
      return appended;
    }
  }

  private static final PartitionLog.AppendCallback IGNORED =
      new PartitionLog.AppendCallback() {
        @Override
        public void appended(long offset, long timestampMillis) {
          // The records are read by the subscription.
        }

        @Override
        public void unknown(String reason) {
          throw new IllegalStateException(reason);
        }
      };
}
