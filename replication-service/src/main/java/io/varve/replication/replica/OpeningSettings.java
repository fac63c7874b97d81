package io.varve.replication.replica;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.text.ByteValues;

/**
 * When a copy answers searches before its files are all here, as the cluster's settings have it.
 *
 * @param minBytes a copy that lacks less is sooner copied than it is opened
 */
record OpeningSettings(boolean enabled, long minBytes) {

  static OpeningSettings of(ClusterState state) {
    return new OpeningSettings(
        Boolean.parseBoolean(ClusterSettings.value(state, ClusterSettings.OPENING)),
        ByteValues.parseBytes(
            ClusterSettings.OPENING_MIN_SIZE,
            String.valueOf(ClusterSettings.value(state, ClusterSettings.OPENING_MIN_SIZE))));
  }
}
