package io.varve.coordinator.rest;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A change of the cluster's metadata that a client asks for, before it is decided. */
public sealed interface ClusterChange {

  /**
   * @param settings under their full names
   * @param mapping the mapping's JSON
   */
  record CreateIndex(String name, Map<String, @Nullable String> settings, String mapping)
      implements ClusterChange {}

  record DeleteIndex(String indexUuid) implements ClusterChange {}

  /** Adds fields to a mapping. */
  record PutMapping(String indexUuid, String mapping) implements ClusterChange {}

  /**
   * Settings under their full names; {@code null} resets one.
   *
   * @param preserveExisting leaves alone what is set already
   */
  record PutIndexSettings(
      String indexUuid, Map<String, @Nullable String> changes, boolean preserveExisting)
      implements ClusterChange {}

  /** Cluster settings by scope; {@code null} takes one away. */
  record PutClusterSettings(
      Map<String, @Nullable String> persistentChanges,
      Map<String, @Nullable String> transientChanges)
      implements ClusterChange {}
}
