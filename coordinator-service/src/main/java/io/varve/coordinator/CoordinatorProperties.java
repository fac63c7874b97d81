package io.varve.coordinator;

import io.varve.coordinator.cluster.BrokersForFollowers;
import io.varve.coordinator.cluster.CoordinatorSettings;
import io.varve.coordinator.cluster.FaultSettings;
import io.varve.log.kafka.KafkaLogConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code varve.*} of a coordinator.
 *
 * @param publishAddress the {@code host:port} that other processes use; by default the address on
 *     which the server listens
 * @param remoteFiles the folder with certificates and credentials for other clusters; by default
 *     {@code remote} in {@code data}
 * @param remoteAddresses the addresses of other clusters to which connections may be made; by
 *     default all without security, and none with it
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
    @DefaultValue Leader leader,
    @Nullable Path remoteFiles,
    @Nullable List<String> remoteAddresses) {

  /**
   * The connection to the log.
   *
   * @param remoteBootstrapServers the brokers' addresses for clusters that follow this one, if they
   *     use other listeners; empty: {@code bootstrapServers}
   * @param compression of the batches that this coordinator appends
   * @param appendTimeoutMillis after which the outcome of an append is unknown
   */
  public record Kafka(
      @DefaultValue("127.0.0.1:9092") String bootstrapServers,
      @DefaultValue("") String remoteBootstrapServers,
      @DefaultValue("1") int replicationFactor,
      @DefaultValue("lz4") String compression,
      @DefaultValue("10000") int appendTimeoutMillis) {

    KafkaLogConfig log(String clientId) {
      return KafkaLogConfig.of(bootstrapServers, clientId)
          .withCompression(compression)
          .withAppendTimeout(appendTimeoutMillis);
    }

    BrokersForFollowers forFollowers() {
      return remoteBootstrapServers.isEmpty()
          ? new BrokersForFollowers(bootstrapServers)
          : BrokersForFollowers.configured(remoteBootstrapServers);
    }
  }

  /**
   * The heartbeat interval, the time without a heartbeat after which a node is removed, and the
   * node's attributes.
   *
   * @param refusedTimeoutMillis the time without a heartbeat after which a node whose address
   *     refuses connections is removed; by default two heartbeat intervals
   * @param probe how the addresses of suspected nodes are probed
   */
  public record Node(
      @DefaultValue("500") long heartbeatMillis,
      @DefaultValue("5000") long timeoutMillis,
      @Nullable Long refusedTimeoutMillis,
      @DefaultValue Probe probe,
      @DefaultValue Map<String, String> attr) {

    FaultSettings faults() {
      return new FaultSettings(
          refusedTimeoutMillis == null ? 2 * heartbeatMillis : refusedTimeoutMillis,
          probe.intervalMillis(),
          probe.timeoutMillis());
    }
  }

  /** The shortest time between two connections to a suspected node, and the time for one. */
  public record Probe(
      @DefaultValue("200") long intervalMillis, @DefaultValue("1000") int timeoutMillis) {}

  /** The time without a heartbeat of the leader after which another coordinator takes over. */
  public record Leader(@DefaultValue("3000") long timeoutMillis) {}

  Path folderOfRemoteFiles() {
    return remoteFiles == null ? data.resolve("remote") : remoteFiles;
  }

  CoordinatorSettings settings() {
    return new CoordinatorSettings(
        clusterName,
        new CoordinatorSettings.Identity(nodeName, node.attr()),
        data,
        node.heartbeatMillis(),
        node.timeoutMillis(),
        leader.timeoutMillis(),
        node.faults());
  }
}
