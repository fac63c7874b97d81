package io.varve.host.spring;

import io.varve.cluster.NodeInfo;
import io.varve.cluster.ProcessCredentials;
import io.varve.cluster.RemoteAddresses;
import io.varve.host.NodeLimits;
import io.varve.host.NodeSettings;
import io.varve.host.RefreshTurns;
import io.varve.log.kafka.KafkaLogConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code varve.*} of a node that holds copies.
 *
 * @param publishAddress {@code host:port} at which other nodes reach this node; defaults to its
 *     bind address
 * @param indexingPressureBytes 0 for a tenth of the heap
 * @param periodicRefreshes maximum number of periodic refreshes that run at the same time; 0 for
 *     half of the processors, at most 10
 * @param closingTimeoutMillis how long a primary that closes waits for its appends in flight
 * @param remoteFiles the folder with certificates and credentials for other clusters; by default
 *     {@code remote} in {@code data}
 * @param remoteAddresses the addresses of other clusters to which connections may be made; by
 *     default, all if security is disabled, and none if it is enabled
 */
@ConfigurationProperties("varve")
public record NodeProperties(
    @DefaultValue("varve") String clusterName,
    @Nullable String nodeName,
    @DefaultValue("data") Path data,
    @DefaultValue("127.0.0.1") String host,
    @Nullable String publishAddress,
    @DefaultValue Kafka kafka,
    @DefaultValue Node node,
    @DefaultValue("300000") long snapshotLeaseMillis,
    @DefaultValue("30000") long commitMillis,
    @DefaultValue("268435456") long commitBytes,
    @DefaultValue("0") long indexingPressureBytes,
    @DefaultValue("0") int periodicRefreshes,
    @DefaultValue("60000") long writeTimeoutMillis,
    @DefaultValue("2000") long closingTimeoutMillis,
    @Nullable Path remoteFiles,
    @Nullable List<String> remoteAddresses) {

  private static final long LONGEST_CLOSING_MILLIS = 600_000;

  public NodeProperties {
    if (closingTimeoutMillis < 0 || closingTimeoutMillis > LONGEST_CLOSING_MILLIS) {
      throw new IllegalArgumentException(
          "varve.closing-timeout-millis must be 0 to %d, was %d"
              .formatted(LONGEST_CLOSING_MILLIS, closingTimeoutMillis));
    }
  }

  /**
   * The connection to the log.
   *
   * @param compression of the batches that this node appends
   * @param appendTimeoutMillis after which the outcome of an append is unknown
   */
  public record Kafka(
      @DefaultValue("127.0.0.1:9092") String bootstrapServers,
      @DefaultValue("1") int replicationFactor,
      @DefaultValue("lz4") String compression,
      @DefaultValue("10000") int appendTimeoutMillis) {

    KafkaLogConfig log(String clientId) {
      return KafkaLogConfig.of(bootstrapServers, clientId)
          .withCompression(compression)
          .withAppendTimeout(appendTimeoutMillis);
    }
  }

  /**
   * The node's heartbeats, its attributes, and its roles if they differ from those of its service:
   * {@code primary}, {@code replica}, {@code search}.
   */
  public record Node(
      @DefaultValue("500") long heartbeatMillis,
      @DefaultValue Map<String, String> attr,
      @DefaultValue Set<String> roles) {

    private static final Set<String> KNOWN =
        Set.of(NodeInfo.PRIMARY, NodeInfo.REPLICA, NodeInfo.SEARCH);

    public Node {
      if (!KNOWN.containsAll(roles)) {
        throw new IllegalArgumentException(
            "varve.node.roles must be of " + KNOWN + ", was " + roles);
      }
    }
  }

  /** The name of the node; without one, that of its service. */
  String nameOr(NodeRole role) {
    return nodeName == null ? role.name() : nodeName;
  }

  NodeSettings settings(ProcessCredentials credentials) {
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
        periodicRefreshes == 0
            ? RefreshTurns.usualLimit(Runtime.getRuntime().availableProcessors())
            : periodicRefreshes,
        writeTimeoutMillis,
        remoteFiles == null ? data.resolve("remote") : remoteFiles,
        RemoteAddresses.configured(remoteAddresses, credentials),
        credentials,
        NodeLimits.DEFAULT.with(NodeLimits.Closing.of(Duration.ofMillis(closingTimeoutMillis))));
  }
}
