package io.varve.events;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Heartbeat of a node in the topic {@code nodes}.
 *
 * @param nodeId stored in the node's data folder, so stable across restarts
 * @param incarnation new on every start of the process
 * @param roles of {@code coordinator}, {@code primary}, {@code replica}, {@code ccr}
 * @param attributes set by the operator
 * @param url base URL of the node's HTTP endpoints
 * @param leadingTerm the term in which the node currently leads the cluster; 0 for none
 * @param featureLevels supported by the node; {@link FeatureLevels#UNSAID} if it announces none
 */
public record NodeHeartbeat(
    String nodeId,
    String name,
    String incarnation,
    Set<String> roles,
    String url,
    long timestampMillis,
    Load load,
    Map<String, String> attributes,
    @JsonSetter(nulls = Nulls.AS_EMPTY) long leadingTerm,
    FeatureLevels featureLevels) {

  /** Resource usage for the node tables; fractions are of 1. */
  public record Load(
      double cpuFraction,
      long heapUsedBytes,
      long heapMaxBytes,
      long memoryUsedBytes,
      long memoryTotalBytes,
      double load1m,
      long diskTotalBytes,
      long diskFreeBytes,
      long processId,
      long startedMillis) {}

  public NodeHeartbeat {
    roles = Collections.unmodifiableSortedSet(new TreeSet<>(roles));
    attributes =
        Collections.unmodifiableSortedMap(
            new TreeMap<>(attributes == null ? Map.of() : attributes));
    featureLevels = featureLevels == null ? FeatureLevels.UNSAID : featureLevels;
  }

  /** The heartbeat of a non-leading node of this release, without attributes. */
  public NodeHeartbeat(
      String nodeId,
      String name,
      String incarnation,
      Set<String> roles,
      String url,
      long timestampMillis,
      Load load) {
    this(
        nodeId,
        name,
        incarnation,
        roles,
        url,
        timestampMillis,
        load,
        Map.of(),
        0,
        FeatureLevels.OF_THIS_RELEASE);
  }
}
