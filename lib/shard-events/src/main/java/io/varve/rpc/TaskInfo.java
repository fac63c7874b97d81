package io.varve.rpc;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task as one node shows it to another.
 *
 * @param number unique on its node as long as its process lives
 * @param parent the task for which it runs, {@code node:number}, or null for none
 * @param headers of the request that began it
 * @param status how far it is, or null when it does not say
 */
public record TaskInfo(
    long number,
    What what,
    @Nullable String parent,
    Course course,
    Map<String, String> headers,
    @Nullable Map<String, Object> status) {

  /**
   * @param type {@code transport} for what a client asked for, {@code direct} for a part of it
   */
  public record What(String action, String type, String description) {}

  public record Course(
      long startedMillis, long runningNanos, boolean cancellable, boolean cancelled) {}

  public TaskInfo {
    headers = Map.copyOf(headers);
  }
}
