package io.varve.node.spring;

import io.varve.node.NodeSettings;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code varve.*} of a node that holds copies.
 *
 * @param indexingPressureBytes 0 for a tenth of the heap
 */
@ConfigurationProperties("varve")
public record NodeProperties(
    @DefaultValue("varve") String clusterName,
    @Nullable String nodeName,
    @DefaultValue("data") Path data,
    @DefaultValue("127.0.0.1") String host,
    @DefaultValue Kafka kafka,
    @DefaultValue Node node,
    @DefaultValue("300000") long snapshotLeaseMillis,
    @DefaultValue("30000") long commitMillis,
    @DefaultValue("268435456") long commitBytes,
    @DefaultValue("0") long indexingPressureBytes,
    @DefaultValue("60000") long writeTimeoutMillis) {

  /** Where the log is. */
  public record Kafka(
      @DefaultValue("127.0.0.1:9092") String bootstrapServers,
      @DefaultValue("1") int replicationFactor) {}

  /** The node's signs of life, and its attributes. */
  public record Node(
      @DefaultValue("500") long heartbeatMillis, @DefaultValue Map<String, String> attr) {}

  NodeSettings settings() {
    return new NodeSettings(
        host,
        data,
        node.heartbeatMillis(),
        snapshotLeaseMillis,
        commitMillis,
        commitBytes,
        indexingPressureBytes == 0
            ? Math.max(1, Runtime.getRuntime().maxMemory() / 10)
            : indexingPressureBytes,
        writeTimeoutMillis);
  }
}
