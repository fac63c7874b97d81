package io.varve.cluster;

import io.varve.events.Json;
import io.varve.events.NodeHeartbeat;
import io.varve.events.RawRecord;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Publishes a node's heartbeats to the topic {@code nodes}. A failed heartbeat is not retried,
 * since the next one is newer.
 *
 * <p>A heartbeat goes to the partition of the node's id. Those of a coordinator go to all
 * partitions, because it reads them to prove that it would receive the heartbeats of other nodes.
 */
public final class HeartbeatPublisher {

  private final List<PartitionLog> partitions;
  private final NodeIdentity identity;
  private final String url;
  private final ProcessLoad load;
  private final InstantSource clock;
  private final Consumer<String> onMissed;

  /**
   * @param onMissed receives the reason when a heartbeat could not be appended
   */
  public HeartbeatPublisher(
      MessageLog log,
      Topics topics,
      NodeIdentity identity,
      String url,
      Path data,
      InstantSource clock,
      Consumer<String> onMissed) {
    this(
        partitionsOf(identity.nodeId(), identity.roles())
            .mapToObj(partition -> log.open(topics.nodes(), partition))
            .toList(),
        identity,
        url,
        new ProcessLoad(data),
        clock,
        onMissed);
  }

  private HeartbeatPublisher(
      List<PartitionLog> partitions,
      NodeIdentity identity,
      String url,
      ProcessLoad load,
      InstantSource clock,
      Consumer<String> onMissed) {
    this.partitions = partitions;
    this.identity = identity;
    this.url = url;
    this.load = load;
    this.clock = clock;
    this.onMissed = onMissed;
  }

  /** The partitions to which the heartbeats of a node with these roles go. */
  public static IntStream partitionsOf(String nodeId, Set<String> roles) {
    return roles.contains(NodeInfo.COORDINATOR)
        ? IntStream.range(0, Topics.NODES_PARTITIONS)
        : IntStream.of(Topics.partitionOf(nodeId, Topics.NODES_PARTITIONS));
  }

  /** The publisher of the same process, when it takes no new work. */
  public HeartbeatPublisher withoutRoles() {
    return new HeartbeatPublisher(partitions, identity.withoutRoles(), url, load, clock, onMissed);
  }

  /**
   * @param leadingTerm as in {@link NodeHeartbeat}
   */
  public NodeHeartbeat heartbeat(long leadingTerm) {
    return new NodeHeartbeat(
        identity.nodeId(),
        identity.name(),
        identity.incarnation(),
        identity.roles(),
        url,
        clock.millis(),
        load.now(),
        identity.attributes(),
        leadingTerm,
        identity.featureLevels());
  }

  /** Sends a heartbeat without waiting for the broker. */
  public void beat(long leadingTerm) {
    byte[] key = identity.nodeId().getBytes(StandardCharsets.UTF_8);
    RawRecord beat = RawRecord.keyed(key, Json.write(heartbeat(leadingTerm)));
    partitions.forEach(partition -> append(partition, beat));
  }

  private void append(PartitionLog partition, RawRecord beat) {
    try {
      partition.append(
          beat,
          new PartitionLog.AppendCallback() {
            @Override
            public void appended(long offset, long timestampMillis) {
              // The next heartbeat reports the same state.
            }

            @Override
            public void unknown(String reason) {
              onMissed.accept(reason);
            }
          });
    } catch (LogException.Full e) {
      onMissed.accept(String.valueOf(e.getMessage()));
    }
  }
}
