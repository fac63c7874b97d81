package io.varve.host;

import io.varve.cluster.ProcessCredentials;
import io.varve.cluster.RemoteAddresses;
import java.nio.file.Path;

/**
 * The settings of this node, apart from its identity.
 *
 * @param host the address that its HTTP server binds
 * @param data its folder
 * @param heartbeatMillis the interval of heartbeats
 * @param snapshotLeaseMillis the lease of a snapshot without renewal
 * @param commitMillis the longest time that applied operations stay uncommitted
 * @param commitBytes bytes of operations that trigger a commit earlier
 * @param pressureBytes the limit of bytes of writes in flight; more are refused
 * @param periodicRefreshes maximum number of periodic refreshes that run at the same time
 * @param writeTimeoutMillis how long a write waits if the client sets no limit
 * @param remoteFiles the folder with certificates and credentials for other clusters
 * @param remoteAddresses the addresses of other clusters to which connections may be made
 * @param credentials for the other processes of the cluster
 * @param limits {@link NodeLimits#DEFAULT} unless a property or a test sets others
 */
public record NodeSettings(
    String host,
    Path data,
    long heartbeatMillis,
    long snapshotLeaseMillis,
    long commitMillis,
    long commitBytes,
    long pressureBytes,
    int periodicRefreshes,
    long writeTimeoutMillis,
    Path remoteFiles,
    RemoteAddresses remoteAddresses,
    ProcessCredentials credentials,
    NodeLimits limits) {

  private static final int MOST_REFRESHES = 1_000;

  public NodeSettings {
    requirePositive("varve.node.heartbeat-millis", heartbeatMillis);
    requirePositive("varve.snapshot-lease-millis", snapshotLeaseMillis);
    requirePositive("varve.commit-millis", commitMillis);
    requirePositive("varve.commit-bytes", commitBytes);
    requirePositive("varve.indexing-pressure-bytes", pressureBytes);
    requireRefreshes(periodicRefreshes);
    requirePositive("varve.write-timeout-millis", writeTimeoutMillis);
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be >= 1, was " + value);
    }
  }

  private static void requireRefreshes(int value) {
    if (value < 1 || value > MOST_REFRESHES) {
      throw new IllegalArgumentException(
          "varve.periodic-refreshes must be 1 to " + MOST_REFRESHES + ", was " + value);
    }
  }

  /** The defaults, for a node that keeps its data in {@code data}. */
  public static NodeSettings of(Path data) {
    return new NodeSettings(
        "127.0.0.1",
        data,
        500,
        300_000,
        30_000,
        256L << 20,
        Math.max(1, Runtime.getRuntime().maxMemory() / 10),
        RefreshTurns.usualLimit(Runtime.getRuntime().availableProcessors()),
        60_000,
        data.resolve("remote"),
        RemoteAddresses.ANY,
        new ProcessCredentials.None(),
        NodeLimits.DEFAULT);
  }

  /** The same settings with other limits. */
  public NodeSettings with(NodeLimits others) {
    return new NodeSettings(
        host,
        data,
        heartbeatMillis,
        snapshotLeaseMillis,
        commitMillis,
        commitBytes,
        pressureBytes,
        periodicRefreshes,
        writeTimeoutMillis,
        remoteFiles,
        remoteAddresses,
        credentials,
        others);
  }
}
