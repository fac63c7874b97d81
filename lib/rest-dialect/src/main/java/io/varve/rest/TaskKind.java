package io.varve.rest;

/**
 * The kind of a task.
 *
 * @param action OpenSearch's name of the action: {@code indices:data/read/search}
 */
public record TaskKind(String action, String description, boolean cancellable) {

  /** The kind of a part of this task, on the same node. */
  public TaskKind part(String suffix) {
    return new TaskKind(action + suffix, description, cancellable);
  }
}
