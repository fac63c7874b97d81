package io.varve.replication.replica;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.text.ByteValues;

/**
 * The cluster settings for answering searches before all files of a copy are local.
 *
 * @param minBytes a copy that lacks fewer bytes is copied completely before it answers
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
