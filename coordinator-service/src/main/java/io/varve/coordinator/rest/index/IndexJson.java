package io.varve.coordinator.rest.index;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.coordinator.rest.SettingsTree;
import io.varve.events.Json;
import io.varve.rest.Build;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Converts an index's metadata to JSON. */
public final class IndexJson {

  private IndexJson() {}

  /** Returns all settings of the index, including those that are set internally at its creation. */
  static Map<String, String> settings(IndexMetadata index) {
    Map<String, String> settings = new TreeMap<>(index.settings());
    settings.putIfAbsent(IndexSettings.CREATION_DATE, Long.toString(index.createdMillis()));
    settings.putIfAbsent(IndexSettings.UUID, index.uuid());
    settings.putIfAbsent(IndexSettings.PROVIDED_NAME, index.name());
    settings.putIfAbsent(IndexSettings.NUMBER_OF_SHARDS, Integer.toString(index.numberOfShards()));
    settings.putIfAbsent(
        IndexSettings.NUMBER_OF_REPLICAS, Integer.toString(index.numberOfReplicas()));
    settings.putIfAbsent(IndexSettings.REPLICATION_TYPE, index.replicationType());
    settings.putIfAbsent(IndexSettings.VERSION_CREATED, "137217827");
    return settings;
  }

  /**
   * Returns human-readable forms of some settings, which are shown in addition to these settings.
   */
  static Map<String, String> readable(IndexMetadata index) {
    Map<String, String> readable = new TreeMap<>(settings(index));
    readable.put(
        IndexSettings.CREATION_DATE + "_string",
        Instant.ofEpochMilli(index.createdMillis()).toString());
    readable.put(IndexSettings.VERSION_CREATED + "_string", Build.DIALECT);
    return readable;
  }

  /** Returns the defaults of the settings that the index does not set. */
  static Map<String, String> defaults(IndexMetadata index) {
    Map<String, String> defaults = new TreeMap<>(IndexSettings.defaults());
    defaults.keySet().removeAll(settings(index).keySet());
    return defaults;
  }

  static Map<String, ?> shown(Map<String, String> settings, boolean flat) {
    return flat ? settings : SettingsTree.nest(settings);
  }

  public static Map<String, Object> mapping(IndexMetadata index) {
    Map<?, ?> mapping = Json.mapper().readValue(index.mapping(), Map.class);
    Map<String, Object> shown = new LinkedHashMap<>();
    mapping.forEach((key, value) -> shown.put(String.valueOf(key), value));
    return shown;
  }
}
