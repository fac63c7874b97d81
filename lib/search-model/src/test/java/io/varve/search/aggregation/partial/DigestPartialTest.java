package io.varve.search.aggregation.partial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.varve.search.aggregation.MetricAggregation.Digest;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.sketch.ValueDigest;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DigestPartialTest {

  static Stream<Digest> digests() {
    return Stream.of(
        new Digest.TDigest(100), new Digest.TDigest(10_000), new Digest.Hdr(3), new Digest.Hdr(5));
  }

  @ParameterizedTest
  @MethodSource("digests")
  void sizeDependsOnTheValues(Digest digest) {
    assertThat(of(digest, 0, 10).bytes()).hasSizeLessThan(4096);
  }

  @ParameterizedTest
  @MethodSource("digests")
  void aMergedDigestEqualsADigestOfAllValues(Digest digest) {
    DigestPartial both = of(digest, 0, 50).merge(of(digest, 50, 101)).merge(of(digest, 0, 0));
    DigestPartial whole = of(digest, 0, 101);
    assertThat(both.digest().count()).isEqualTo(101);
    for (double percent : new double[] {1, 25, 50, 75, 99}) {
      assertThat(both.digest().percentile(percent))
          .isCloseTo(whole.digest().percentile(percent), within(0.5));
    }
    assertThat(both.digest().rank(50)).isCloseTo(whole.digest().rank(50), within(0.5));
  }

  private static DigestPartial of(Digest digest, int from, int to) {
    ValueDigest values = ValueDigest.of(digest);
    IntStream.range(from, to).forEach(values::add);
    return new DigestPartial(new ValueFormat.Raw(), values);
  }
}
