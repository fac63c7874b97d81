package io.varve.replication.replica;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.rpc.ApiException;
import io.varve.store.TransferBudget;
import io.varve.store.TransferLane;
import io.varve.text.ByteValues;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the limits of a node's transfers equal to the current cluster settings. */
public final class TransferLimits {

  private static final Logger LOG = LoggerFactory.getLogger(TransferLimits.class);

  private TransferLimits() {}

  /** Applies from now on, and also to waiting transfers. */
  public static ClusterView.Registration follow(ClusterView cluster, TransferBudget budget) {
    return cluster.listen(state -> {
      budget.limit(TransferLane.RECOVERY, rate(state, ClusterSettings.RECOVERY_RATE));
      budget.limit(TransferLane.BOOTSTRAP, rate(state, ClusterSettings.BOOTSTRAP_RATE));
    });
  }

  private static long rate(ClusterState state, String setting) {
    String rate = String.valueOf(ClusterSettings.value(state, setting));
    try {
      return Math.max(0, ByteValues.parseBytes(setting, rate));
    } catch (ApiException e) {
      // A former version accepted any text.
      LOG.warn("{} is ignored, transfers are not limited: {}", setting, e.getMessage());
      return 0;
    }
  }
}
