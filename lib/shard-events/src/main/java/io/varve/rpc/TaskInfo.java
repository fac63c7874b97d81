package io.varve.rpc;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task as nodes report it to each other.
 *
 * @param number unique on its node during the lifetime of its process
 * @param parent the parent task, {@code node:number}, or null for none
 * @param headers of the originating request
 * @param status progress of the task, or null if it reports none
 */
public record TaskInfo(
    long number,
    What what,
    @Nullable String parent,
    Execution course,
    Map<String, String> headers,
    @Nullable Map<String, Object> status) {

  /**
   * @param type {@code transport} for a client's request, {@code direct} for a part of one
   */
  public record What(String action, String type, String description) {}

  public record Execution(
      long startedMillis, long runningNanos, boolean cancellable, boolean cancelled) {}

  public TaskInfo {
    headers = Map.copyOf(headers);
  }
}
