package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class DetectionCountsTest {

  private static final String METRICS =
      """
      # HELP varve_cluster_nodes_removed_total Removed nodes
      # TYPE varve_cluster_nodes_removed_total counter
      varve_cluster_nodes_removed_total{sign="refused"} 2.0
      varve_cluster_nodes_removed_total{cluster="a",sign="silent"} 1.0
      # TYPE varve_cluster_nodes_suspected_total counter
      varve_cluster_nodes_suspected_total{sign="disconnected"} 7.0
      varve_cluster_nodes_suspected_total{sign="silent"} 1.2E1
      """;

  @Test
  void countsAreReadBySign() {
    assertThat(DetectionCounts.parse(METRICS)).isEqualTo(new DetectionCounts(7, 12, 2, 1));
    assertThat(DetectionCounts.parse(METRICS).removed()).isEqualTo(3);
  }

  @Test
  void countsOfAllCoordinatorsAreAdded() {
    assertThat(new DetectionCounts(1, 2, 3, 4).plus(new DetectionCounts(10, 20, 30, 40)))
        .isEqualTo(new DetectionCounts(11, 22, 33, 44));
  }

  @Test
  void aMissingCountIsNotTakenForZero() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DetectionCounts.parse(METRICS.replace("\"refused\"", "\"other\"")))
        .withMessage(
            "the coordinator has no metric varve_cluster_nodes_removed_total with the sign refused");
  }
}
