package io.varve.cluster;

import io.varve.text.ByteValues;
import java.util.Locale;

/**
 * A disk watermark, {@code cluster.routing.allocation.disk.watermark.*}: a share of the disk in use
 * ({@code 85%}) or a number of free bytes ({@code 10gb}).
 */
public enum Watermark {
  /** Above it, no copies are allocated to the node. */
  LOW("low", "85%"),
  /** Above it, copies relocate away from the node. */
  HIGH("high", "90%"),
  /** Above it, indices with a copy on the node accept no writes. */
  FLOOD_STAGE("flood_stage", "95%");

  static final String ENABLED = "cluster.routing.allocation.disk.threshold_enabled";

  private final String setting;
  private final String defaultValue;

  Watermark(String word, String defaultValue) {
    this.setting = "cluster.routing.allocation.disk.watermark." + word;
    this.defaultValue = defaultValue;
  }

  public String setting() {
    return setting;
  }

  String defaultValue() {
    return defaultValue;
  }

  public String value(ClusterState state) {
    String value = ClusterSettings.value(state, setting);
    return value == null ? defaultValue : value;
  }

  public static boolean enabled(ClusterState state) {
    return !"false".equals(ClusterSettings.value(state, ENABLED));
  }

  public boolean isExceeded(ClusterState state, DiskUsage disk) {
    String value = value(state).trim().toLowerCase(Locale.ROOT);
    return value.endsWith("%")
        ? disk.usedPercent() > Double.parseDouble(value.substring(0, value.length() - 1))
        : disk.freeBytes() < ByteValues.parseBytes(setting, value);
  }
}
