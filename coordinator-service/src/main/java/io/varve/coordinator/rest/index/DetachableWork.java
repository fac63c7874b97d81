package io.varve.coordinator.rest.index;

import io.varve.coordinator.rest.task.Task;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.rest.RestResponder;
import io.varve.rest.TaskKind;
import java.util.Map;
import java.util.Objects;

/**
 * Runs work for a client that either waits for the response or gets the id of a task that stores
 * it.
 */
final class DetachableWork {

  private final Tasks tasks;

  DetachableWork(Tasks tasks) {
    this.tasks = tasks;
  }

  /** Runs the work as a child of the request's task. */
  void run(TaskKind kind, boolean wait, RestResponder responder, Tasks.Answering work)
      throws InterruptedException {
    Task request = Objects.requireNonNull(Tasks.current(), "the request is a task");
    if (wait) {
      responder.json(200, work.run(request));
    } else {
      Task task = tasks.start(kind, request.headers(), work);
      responder.json(200, Map.of("task", task.id().toString()));
    }
  }
}
