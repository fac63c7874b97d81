package io.varve.coordinator.rest;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A change of the cluster's metadata that a client asks for, before it is decided. */
public sealed interface ClusterChange {

  /**
   * @param settings flat, with or without {@code index.}
   * @param mapping the mapping's JSON
   */
  record CreateIndex(String name, Map<String, @Nullable String> settings, String mapping)
      implements ClusterChange {}

  record DeleteIndices(List<String> names) implements ClusterChange {}

  /** Adds fields to the mappings of indices. */
  record PutMapping(List<String> indices, String mapping) implements ClusterChange {}

  /**
   * Flat settings; {@code null} resets one.
   *
   * @param preserveExisting leaves alone what is set already
   */
  record UpdateIndexSettings(
      List<String> indices, Map<String, @Nullable String> changes, boolean preserveExisting)
      implements ClusterChange {}

  /** Flat settings by scope; {@code null} takes one away. */
  record UpdateClusterSettings(
      Map<String, @Nullable String> persistentChanges,
      Map<String, @Nullable String> transientChanges)
      implements ClusterChange {}
}
