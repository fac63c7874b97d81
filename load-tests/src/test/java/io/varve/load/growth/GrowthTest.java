package io.varve.load.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.control.allocation.Reconciler;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrowthTest {

  private static final ClusterSize SMALL = new ClusterSize(10, 200, 1_000);
  private static final ClusterSize MIDDLE = new ClusterSize(100, 2_000, 10_000);

  @ParameterizedTest
  @CsvSource({"5,5,5,0", "1,10,100,1", "1,100,10000,2", "100,10,1,-1"})
  void theExponentIsTheSlopeBetweenLogarithms(double a, double b, double c, double exponent) {
    double[] sizes = {1, 10, 100};

    assertThat(Growth.exponent(sizes, new double[] {a, b, c})).isCloseTo(exponent, within(1e-9));
  }

  @Test
  void aRowIsMarkedWhenItGrowsFasterThanItShould() {
    GrowthRow constant = row(Growth.CONSTANT, 1_000, 1_100);
    GrowthRow linear = row(Growth.LINEAR, 1_000, 10_000);
    GrowthRow scan = row(Growth.CONSTANT, 1_000, 10_000);
    GrowthRow square = row(Growth.LINEAR, 1_000, 100_000);

    assertThat(List.of(constant, linear)).noneMatch(GrowthRow::growsTooFast);
    assertThat(List.of(scan, square)).allMatch(GrowthRow::growsTooFast);
    assertThat(square.line(2)).isEqualTo("| cost | 1.00 µs | 100 µs | 2.00 **too fast** |");
  }

  private static GrowthRow row(Growth expected, double small, double middle) {
    GrowthRow row = new GrowthRow("cost", GrowthRow.Unit.TIME, expected);
    row.add(SMALL, small);
    row.add(MIDDLE, middle);
    return row;
  }

  @Test
  void aCostThatKeepsGrowingIsPredicted() {
    GrowthRow square = row(Growth.LINEAR, 1_000, 100_000);

    assertThat(square.expectedAt(new ClusterSize(1_000, 20_000, 100_000)))
        .isCloseTo(1e7, within(1.0));
    assertThat(new GrowthRow("cost", GrowthRow.Unit.TIME, Growth.LINEAR).expectedAt(SMALL))
        .isZero();
  }

  @Test
  void theSizesHaveTheSameProportions() {
    assertThat(ClusterSize.steps(100_000)).startsWith(SMALL).endsWith(ClusterSize.LARGEST);
    assertThat(ClusterSize.steps(100_000))
        .allMatch(size -> size.shardsPerIndex() == 5 && size.shards() / size.nodes() == 100);
  }

  @Test
  void theClusterIsStartedEvenAndSettled() {
    ClusterState state = new LargeCluster(SMALL).state();

    Map<String, Long> copies =
        state.indices().values().stream()
            .flatMap(index -> index.shards().stream())
            .flatMap(shard -> shard.copies().stream())
            .filter(CopyRouting::started)
            .collect(Collectors.groupingBy(copy -> copy.nodeId(), Collectors.counting()));
    assertThat(copies.values()).hasSize(SMALL.nodes()).allMatch(count -> count == 200);
    assertThat(state.indicesOf(LargeCluster.ALIAS)).hasSize(200);
    assertThat(
            new Reconciler(() -> "id")
                .reconcile(state, new Reconciler.Situation(Map.of(), Set.of(), 0)))
        .isEmpty();
  }
}
