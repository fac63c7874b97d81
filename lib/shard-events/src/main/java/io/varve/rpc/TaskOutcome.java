package io.varve.rpc;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a task.
 *
 * @param task null if the task is unknown
 * @param response of a completed task, otherwise null
 * @param error of a failed task, otherwise null
 */
public record TaskOutcome(
    boolean completed,
    @Nullable TaskInfo task,
    @Nullable Map<String, Object> response,
    @Nullable Map<String, Object> error) {

  public static final TaskOutcome UNKNOWN = new TaskOutcome(false, null, null, null);
}
