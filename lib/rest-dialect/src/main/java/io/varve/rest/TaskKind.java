package io.varve.rest;

/**
 * What a task does.
 *
 * @param action in the dialect's words: {@code indices:data/read/search}
 */
public record TaskKind(String action, String description, boolean cancellable) {

  /** A part of a task, on the same node. */
  public TaskKind part(String suffix) {
    return new TaskKind(action + suffix, description, cancellable);
  }
}
