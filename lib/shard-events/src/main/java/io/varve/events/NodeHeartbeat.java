package io.varve.events;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Map;
import java.util.Set;

/**
 * A node's sign of life in the topic {@code nodes}.
 *
 * @param nodeId kept in the node's data folder, the same after a restart
 * @param incarnation new at every start of the process
 * @param roles of {@code coordinator}, {@code primary}, {@code replica}, {@code ccr}
 * @param attributes what whoever runs the node calls it by
 * @param url where the node's HTTP endpoints are
 * @param leadingTerm the term in which the node leads the cluster just now; 0 for none
 * @param featureLevels that the node supports; {@link FeatureLevels#UNSAID} where it doesn't say
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

  /** Figures for the tables of nodes; fractions are of 1. */
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
    roles = Set.copyOf(roles);
    attributes = attributes == null ? Map.of() : Map.copyOf(attributes);
    featureLevels = featureLevels == null ? FeatureLevels.UNSAID : featureLevels;
  }

  /** Of a node of this release that nobody gave attributes, and that does not lead. */
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
