package io.varve.testkit.sim;

import io.varve.cluster.HeartbeatPublisher;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Topics;
import io.varve.events.FeatureLevels;
import io.varve.events.Json;
import io.varve.events.NodeHeartbeat;
import io.varve.events.RawRecord;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The heartbeats of a process, in the topic that production's {@code NodeTracker} follows. Their
 * load is constant, because the free space of a disk would affect the allocation of copies.
 */
final class SimHeartbeats {

  static final Topics TOPICS = new Topics("simulated", 1);

  /** The mean time between two heartbeats. */
  static final long MEAN_MICROS = 100_000;

  private static final NodeHeartbeat.Load IDLE =
      new NodeHeartbeat.Load(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  private final World world;
  private final SimProcess process;
  private final Set<String> roles;

  SimHeartbeats(World world, SimProcess process, Set<String> roles) {
    this.world = world;
    this.process = process;
    this.roles = roles;
  }

  /** The address that a process announces. */
  static String url(SimProcess process) {
    return "sim://" + process.name();
  }

  /** Starts the heartbeats of an incarnation; they end with it. */
  void start(LongSupplier leadingTerm) {
    SimMessageLog log = new SimMessageLog(world, process);
    beat(
        HeartbeatPublisher.partitionsOf(process.name(), roles)
            .mapToObj(partition -> log.open(TOPICS.nodes(), partition))
            .toList(),
        leadingTerm);
  }

  private void beat(List<PartitionLog> partitions, LongSupplier leadingTerm) {
    RawRecord beat =
        RawRecord.keyed(
            process.name().getBytes(StandardCharsets.UTF_8),
            Json.write(heartbeat(leadingTerm.getAsLong())));
    partitions.forEach(partition -> append(partition, beat));
    process.after(
        MEAN_MICROS * 4 / 5 + world.random().nextInt((int) (MEAN_MICROS * 2 / 5)),
        () -> beat(partitions, leadingTerm));
  }

  private void append(PartitionLog partition, RawRecord beat) {
    try {
      partition.append(
          beat,
          new PartitionLog.AppendCallback() {
            @Override
            public void appended(long offset, long timestampMillis) {
              // The next heartbeat says the same.
            }

            @Override
            public void unknown(String reason) {
              // The next heartbeat says the same.
            }
          });
    } catch (LogException.Full e) {
      world.note("a heartbeat of " + process + " is missed: " + e.getMessage());
    }
  }

  private NodeHeartbeat heartbeat(long leadingTerm) {
    return new NodeHeartbeat(
        process.name(),
        process.name(),
        process.toString(),
        roles,
        url(process),
        world.queue().nowMillis(),
        IDLE,
        world.shape().remoteStore() ? Map.of(NodeInfo.STORE_ATTRIBUTE, "simulated") : Map.of(),
        leadingTerm,
        world.mutated(Mutation.ANNOUNCE_LEVELS_THAT_ARE_NOT_SUPPORTED)
            ? FeatureLevels.OF_THIS_RELEASE
            : process.levels());
  }
}
