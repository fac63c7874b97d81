package io.varve.host;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;

/**
 * The cluster settings for copying merged segments before the manifest that names them.
 *
 * @param bytesPerSecond the limit of each node that receives, 0 for none
 * @param timeoutMillis the longest time that a merged segment waits for its replicas
 * @param minBytes smaller segments are copied with their manifest
 * @param retentionMillis time for which a replica keeps a merged segment that no manifest names
 */
public record MergeSettings(
    boolean enabled, long bytesPerSecond, long timeoutMillis, long minBytes, long retentionMillis) {

  public static MergeSettings of(ClusterState state) {
    return new MergeSettings(
        Boolean.parseBoolean(ClusterSettings.value(state, ClusterSettings.MERGES_AHEAD)),
        Math.max(0, ClusterSettings.bytes(state, ClusterSettings.MERGES_AHEAD_RATE)),
        ClusterSettings.millis(state, ClusterSettings.MERGES_AHEAD_TIMEOUT),
        ClusterSettings.bytes(state, ClusterSettings.MERGES_AHEAD_MIN_SIZE),
        ClusterSettings.millis(state, ClusterSettings.MERGES_AHEAD_RETENTION));
  }
}
