package io.varve.search.aggregation.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.search.aggregation.MetricAggregation.Digest;
import io.varve.search.aggregation.sketch.ValueDigest.Columns;
import java.util.Random;
import org.HdrHistogram.DoubleHistogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnsTest {

  private static final double[] PERCENTS = {0, 1, 25, 50, 95, 99.9, 100};

  private static double[] values(int count) {
    Random random = new Random(7);
    return random.doubles(count, 0.001, 1_000_000).toArray();
  }

  private static ValueDigest digest(int digits, double[] values, int from, int to) {
    ValueDigest digest = ValueDigest.of(new Digest.Hdr(digits));
    for (int i = from; i < to; i++) {
      digest.add(values[i]);
    }
    return digest;
  }

  private static void assertSame(ValueDigest digest, DoubleHistogram expected) {
    assertThat(digest.count()).isEqualTo(expected.getTotalCount());
    for (double percent : PERCENTS) {
      double value = expected.getValueAtPercentile(percent);
      assertThat(digest.percentile(percent)).as("%s %%", percent).isEqualTo(value);
      assertThat(digest.rank(value)).isEqualTo(expected.getPercentileAtOrBelowValue(value));
    }
  }

  /**
   * A histogram with few values is packed, and one with many is not; both agree with a histogram
   * that is never packed.
   */
  @ParameterizedTest
  @CsvSource({"1, 3", "100, 3", "4096, 2", "4097, 2", "20000, 5"})
  void packedAndUnpackedHistogramsAgree(int count, int digits) {
    double[] values = values(count);
    DoubleHistogram expected = new DoubleHistogram(digits);
    expected.setAutoResize(true);
    for (double value : values) {
      expected.recordValue(value);
    }

    ValueDigest digest = digest(digits, values, 0, count);

    assertSame(digest, expected);
    assertSame(Columns.fromBytes(digest.toBytes()), expected);
  }

  @ParameterizedTest
  @CsvSource({"10, 20", "3000, 4000", "5000, 10", "10, 5000", "5000, 6000"})
  void mergesPackedAndSpread(int first, int second) {
    double[] values = values(first + second);
    DoubleHistogram expected = new DoubleHistogram(3);
    expected.setAutoResize(true);
    for (double value : values) {
      expected.recordValue(value);
    }

    ValueDigest one = digest(3, values, 0, first);
    ValueDigest other = digest(3, values, first, values.length);

    assertSame(one.merged(other), expected);
    assertThat(one.count()).isEqualTo(first);
    assertThat(other.count()).isEqualTo(second);
  }

  /** The expected memory is that for growing, copying and encoding a histogram of all values. */
  @ParameterizedTest
  @CsvSource({"1, 1, 5", "10, 20, 3", "10, 20, 5", "3000, 4000, 3", "5000, 6000, 5"})
  void aMergeNeedsNoMoreMemoryThanItsEstimate(int first, int second, int digits) {
    double[] values = values(first + second);
    DoubleHistogram all = new DoubleHistogram(digits);
    all.setAutoResize(true);
    for (double value : values) {
      all.recordValue(value);
    }
    ValueDigest one = digest(digits, values, 0, first);
    ValueDigest other = digest(digits, values, first, values.length);

    long buffers = 2L * all.getNeededByteBufferCapacity();
    long histograms =
        first + second > 4096
            ? 2L * all.getEstimatedFootprintInBytes()
            : 2L * one.merged(other).sizeBytes();
    assertThat(one.mergeBytes(other)).isBetween(buffers + histograms, 8 * (buffers + histograms));
  }

  @Test
  void needsLittleMemoryForFewValuesOfManyDigits() {
    double[] values = values(10);

    assertThat(digest(5, values, 0, 1).sizeBytes()).isLessThan(8 << 10);
    assertThat(digest(5, values, 0, 10).sizeBytes()).isLessThan(16 << 10);
    assertThat(Columns.fromBytes(digest(5, values, 0, 10).toBytes()).sizeBytes())
        .isLessThan(16 << 10);
  }
}
