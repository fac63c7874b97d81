package io.varve.rpc;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What became of a task.
 *
 * @param task null when nothing is known of it
 * @param response what it answered with, null when it has not or failed
 * @param error what it failed with, null when it has not
 */
public record TaskOutcome(
    boolean completed,
    @Nullable TaskInfo task,
    @Nullable Map<String, Object> response,
    @Nullable Map<String, Object> error) {

  public static final TaskOutcome UNKNOWN = new TaskOutcome(false, null, null, null);
}
