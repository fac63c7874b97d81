package io.varve.coordinator;

import io.varve.coordinator.cluster.CoordinatorSettings;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code varve.*} of a coordinator.
 *
 * @param publishAddress {@code host:port} that other processes use; by default the address that the
 *     server listens on
 */
@ConfigurationProperties("varve")
public record CoordinatorProperties(
    @DefaultValue("varve") String clusterName,
    @DefaultValue("coordinator") String nodeName,
    @DefaultValue("data") Path data,
    @DefaultValue("127.0.0.1") String host,
    @Nullable String publishAddress,
    @DefaultValue Kafka kafka,
    @DefaultValue Node node,
    @DefaultValue Leader leader) {

  /** Address of the log. */
  public record Kafka(
      @DefaultValue("127.0.0.1:9092") String bootstrapServers,
      @DefaultValue("1") int replicationFactor) {}

  /** Heartbeat interval, the silence after which a node has left, and the node's attributes. */
  public record Node(
      @DefaultValue("500") long heartbeatMillis,
      @DefaultValue("5000") long timeoutMillis,
      @DefaultValue Map<String, String> attr) {}

  /** Silence of the leader after which another coordinator takes over. */
  public record Leader(@DefaultValue("3000") long timeoutMillis) {}

  CoordinatorSettings settings() {
    return new CoordinatorSettings(
        clusterName,
        new CoordinatorSettings.Identity(nodeName, node.attr()),
        data,
        node.heartbeatMillis(),
        node.timeoutMillis(),
        leader.timeoutMillis());
  }
}
