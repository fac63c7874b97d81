package io.varve.coordinator.rest.task;

import io.varve.cluster.stats.Pool;
import io.varve.cluster.stats.Pools;
import io.varve.rest.RequestRunner;
import io.varve.rest.RestRequest;
import io.varve.rest.TaskKind;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;

/** Runs requests as tasks and counts them in the statistics of thread pools. */
public final class TaskedRequests implements RequestRunner {

  private final Pools pools;
  private final Tasks tasks;
  private final ClientConnections clients;

  public TaskedRequests(Pools pools, Tasks tasks, ClientConnections clients) {
    this.pools = pools;
    this.tasks = tasks;
    this.clients = clients;
  }

  @Override
  public void count(String kindOfWork, Action request) throws InterruptedException {
    Pool pool = pools.of(kindOfWork);
    pool.begin();
    try {
      request.run();
    } finally {
      pool.end();
    }
  }

  @Override
  public void runTask(TaskKind task, HttpServletRequest http, Action action)
      throws InterruptedException {
    tasks.run(
        task,
        headers(http),
        () -> {
          try (ClientConnections.Watch _ = clients.watch(http, Tasks.current())) {
            action.run();
          }
        });
  }

  private static Map<String, String> headers(HttpServletRequest http) {
    String opaqueId = http.getHeader(RestRequest.OPAQUE_ID);
    return opaqueId == null ? Map.of() : Map.of(RestRequest.OPAQUE_ID, opaqueId);
  }
}
