package io.varve.coordinator.rest.byquery;

import io.varve.client.consistency.WrittenMarks;
import io.varve.coordinator.rest.consistency.Sessions;
import io.varve.coordinator.rest.task.Task;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.rest.RestEndpoint.RestAction;
import io.varve.rest.TaskKind;
import java.util.Map;
import java.util.Objects;

/** Runs a by-query operation either while its client waits or as a task that the client polls. */
final class ByQueryLauncher {

  private final ByQueryRunner runner;
  private final Tasks tasks;
  private final Sessions sessions;

  ByQueryLauncher(ByQueryRunner runner, Tasks tasks, Sessions sessions) {
    this.sessions = sessions;
    this.runner = runner;
    this.tasks = tasks;
  }

  RestAction of(ByQuery query, boolean wait) {
    TaskKind kind = new TaskKind(query.operation().action(), query.description(), true);
    return RestAction.task(
        kind,
        responder -> {
          Task request = Objects.requireNonNull(Tasks.current());
          if (wait) {
            ByQueryRunner.Answer answer = runner.run(query, request);
            WrittenMarks marks = query.options().care().marks();
            sessions.answer(responder, marks.asked(), marks.written());
            responder.json(answer.status(), answer.json());
          } else {
            Task task =
                tasks.start(kind, request.headers(), started -> runner.run(query, started).json());
            responder.json(200, Map.of("task", task.id().toString()));
          }
        });
  }
}
