package io.varve.coordinator.rest.task;

import io.varve.client.NodeClient;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.http.internal.InternalEndpoints;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoints;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the endpoints of tasks. */
@Configuration(proxyBeanMethods = false)
public class TaskConfiguration {

  private static final Logger LOG = LoggerFactory.getLogger(TaskConfiguration.class);
  private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(5);

  @Bean(destroyMethod = "close")
  Tasks tasks(
      ClusterAccess cluster, NodeClient client, Parallel parallel, InstantSource restClock) {
    return new Tasks(
        cluster::localNodeId, restClock, task -> stopElsewhere(task, cluster, client, parallel));
  }

  /**
   * Cancels child tasks on other nodes. If that fails, they run to their end and their answers are
   * not used.
   */
  private static void stopElsewhere(
      Task task, ClusterAccess cluster, NodeClient client, Parallel parallel) {
    List<NodeInfo> nodes =
        cluster.state().nodes().values().stream().filter(NodeInfo::holdsCopies).toList();
    try {
      parallel.map(
          nodes,
          node -> {
            try {
              client.cancel(node, task.id().toString(), CANCEL_TIMEOUT);
            } catch (UnreachableException e) {
              LOG.warn(
                  "the cancellation could not be sent to node {} for task {}: {}",
                  node.name(),
                  task.id(),
                  e.getMessage());
            }
            return node;
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Bean
  TaskBoard taskBoard(ClusterAccess cluster, Tasks tasks, NodeClient client, Parallel parallel) {
    return new TaskBoard(cluster, tasks, client, parallel);
  }

  @Bean
  InternalEndpoints taskRoutes(Tasks tasks, TaskBoard board) {
    return TaskRoutes.of(tasks, board);
  }

  @Bean
  RestEndpoints taskEndpoints(TaskBoard board) {
    return new RestEndpoints(TaskEndpoints.all(board));
  }
}
