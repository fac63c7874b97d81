package io.varve.control.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.control.allocation.Reconciler.Situation;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Settles cluster states through the reconciler. */
abstract class ReconcilerWorld {
  static final Situation CALM = new Situation(Map.of(), Set.of(), 0);

  final AtomicInteger ids = new AtomicInteger();
  final Reconciler reconciler = new Reconciler(() -> "copy-" + ids.incrementAndGet());

  ClusterState settle(ClusterState state, Situation situation) {
    ClusterState next = Clusters.apply(state, reconciler.reconcile(state, situation));
    assertThat(reconciler.reconcile(next, situation)).as("events after the events").isEmpty();
    return next;
  }

  static ClusterState create(ClusterState state, IndexMetadata index) {
    return state.apply(new ClusterEvent.IndexCreated(index));
  }

  static ClusterState startAll(ClusterState state) {
    ClusterState next = state;
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.copies()) {
          if (copy.state() == State.INITIALIZING) {
            next =
                next.apply(
                    new ClusterEvent.CopyStarted(
                        shard.shard(), copy.copyId(), shard.primaryTerm()));
          }
        }
      }
    }
    return next;
  }

  static ClusterEvent replicas(String count) {
    return new ClusterEvent.IndexSettingsChanged(
        "books-uuid", 2, Map.of("index.number_of_replicas", count));
  }
}
