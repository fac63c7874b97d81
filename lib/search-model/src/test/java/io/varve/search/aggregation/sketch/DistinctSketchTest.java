package io.varve.search.aggregation.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistinctSketchTest {

  @Test
  void isExactUpToItsThreshold() {
    DistinctSketch sketch = of(3000, 0, 3000);
    assertThat(sketch.count()).isEqualTo(3000);
    assertThat(of(0, 0, 0).count()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"100, 50000, 10", "3000, 50000, 3", "3000, 1000000, 3", "40000, 1000000, 1"})
  void isApproximateAboveItsThreshold(int threshold, int values, double percent) {
    assertThat(of(threshold, 0, values).count()).isCloseTo((long) values, withPercentage(percent));
  }

  @ParameterizedTest
  @CsvSource({"3000, 500, 1000", "100, 50, 1000", "100, 5000, 1000", "1000, 10, 50000"})
  void mergesToTheCountOfBothEvenOverTheWire(int threshold, int first, int second) {
    DistinctSketch one = DistinctSketch.fromBytes(of(threshold, 0, first).toBytes());
    DistinctSketch other = DistinctSketch.fromBytes(of(threshold, first / 2, second).toBytes());
    long all = Math.max(first, first / 2 + second);
    assertThat(one.merged(other).count()).isCloseTo(all, withPercentage(8));
    assertThat(one.count()).isCloseTo((long) first, withPercentage(8));
  }

  private static DistinctSketch of(int threshold, int from, int count) {
    DistinctSketch sketch = new DistinctSketch(threshold);
    for (int i = 0; i < 2 * count; i++) {
      sketch.add(DistinctSketch.hash(from + i % count));
    }
    return sketch;
  }
}
