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
import java.util.function.Consumer;

/**
 * Publishes a node's heartbeats to the topic {@code nodes}. A failed heartbeat is not retried,
 * since the next one is newer.
 */
public final class HeartbeatPublisher {

  private final PartitionLog partition;
  private final NodeIdentity identity;
  private final String url;
  private final Path data;
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
        log.open(topics.nodes(), Topics.partitionOf(identity.nodeId(), Topics.NODES_PARTITIONS)),
        identity,
        url,
        data,
        clock,
        onMissed);
  }

  private HeartbeatPublisher(
      PartitionLog partition,
      NodeIdentity identity,
      String url,
      Path data,
      InstantSource clock,
      Consumer<String> onMissed) {
    this.partition = partition;
    this.identity = identity;
    this.url = url;
    this.data = data;
    this.clock = clock;
    this.onMissed = onMissed;
  }

  /** The publisher of the same process, when it takes no new work. */
  public HeartbeatPublisher withoutRoles() {
    return new HeartbeatPublisher(partition, identity.withoutRoles(), url, data, clock, onMissed);
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
        ProcessLoad.now(data),
        identity.attributes(),
        leadingTerm,
        identity.featureLevels());
  }

  /** Sends a heartbeat without waiting for the broker. */
  public void beat(long leadingTerm) {
    byte[] key = identity.nodeId().getBytes(StandardCharsets.UTF_8);
    try {
      partition.append(
          RawRecord.keyed(key, Json.write(heartbeat(leadingTerm))),
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
