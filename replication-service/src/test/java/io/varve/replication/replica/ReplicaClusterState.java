package io.varve.replication.replica;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.log.PartitionLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The cluster log of a {@link ReplicaWorld}, and the state that all of its nodes know. */
final class ReplicaClusterState implements AutoCloseable {

  private static final Duration SOON = Duration.ofSeconds(60);

  private final TestClusterLog log;
  private final ClusterView view;

  ReplicaClusterState(PartitionLog partition) {
    log = new TestClusterLog(partition);
    view = new ClusterView(partition, reason -> {});
  }

  ClusterView view() {
    return view;
  }

  void append(ClusterEvent event) {
    log.append(event);
  }

  /** Begins with these events. */
  void start(List<ClusterEvent> events) throws Exception {
    events.forEach(log::append);
    view.start();
    if (!view.awaitVersion(events.size(), SOON)) {
      throw new IllegalStateException("the cluster state did not arrive");
    }
  }

  void setTransient(Map<String, String> settings) throws InterruptedException {
    append(new ClusterEvent.ClusterSettingsChanged(Map.of(), settings));
    await(state -> state.transientSettings().equals(settings), "settings");
  }

  void await(Predicate<ClusterState> expected, String what) throws InterruptedException {
    if (view.await(expected, SOON).isEmpty()) {
      throw new IllegalStateException("the " + what + " did not arrive");
    }
  }

  @Override
  public void close() throws Exception {
    view.close();
  }
}
