package io.varve.control.allocation;

import io.varve.cluster.ClusterAllocationSettings;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.control.allocation.AllocationDeciders.Verdict;

/** Limits the number of copies on a node: of one index, and of all indices. */
final class ShardsLimitDecider {

  private static final String NAME = "shards_limit";

  private ShardsLimitDecider() {}

  static Verdict decide(Candidate place) {
    IndexMetadata index = place.index();
    int ofIndex = limit(IndexSettings.value(index.settings(), IndexSettings.SHARDS_PER_NODE));
    int ofCluster =
        limit(ClusterSettings.value(place.state(), ClusterAllocationSettings.SHARDS_PER_NODE));
    if (ofIndex <= 0 && ofCluster <= 0) {
      return new Verdict(
          NAME,
          true,
          "total shard limits are disabled: [index: " + ofIndex + ", cluster: " + ofCluster + "]");
    }
    long onNode = place.others();
    long ofThis = place.others(index.shards());
    if (ofCluster > 0 && onNode >= ofCluster) {
      return new Verdict(
          NAME,
          false,
          "too many shards ["
              + onNode
              + "] allocated to this node, cluster setting ["
              + ClusterAllocationSettings.SHARDS_PER_NODE
              + "="
              + ofCluster
              + "]");
    }
    if (ofIndex > 0 && ofThis >= ofIndex) {
      return new Verdict(
          NAME,
          false,
          "too many shards ["
              + ofThis
              + "] allocated to this node for index ["
              + index.name()
              + "], index setting ["
              + IndexSettings.SHARDS_PER_NODE
              + "="
              + ofIndex
              + "]");
    }
    return new Verdict(
        NAME,
        true,
        "the shard count ["
            + onNode
            + "] for this node is under the index limit ["
            + ofIndex
            + "] and cluster level node limit ["
            + ofCluster
            + "]");
  }

  private static int limit(String value) {
    return value == null ? -1 : Integer.parseInt(value);
  }
}
