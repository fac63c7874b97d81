package io.varve.search.aggregation.partial;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.search.aggregation.format.BytesKey;
import io.varve.search.aggregation.format.Formats;
import io.varve.search.aggregation.partial.ClustersPartial.Cluster;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergingTest {

  @Test
  void aTermThatIsCommonOnOneShardIsNotRare() {
    RarePartial merged =
        rare(Map.of("a", 1L, "b", 1L, "c", 2L), Set.of("x"))
            .merge(rare(Map.of("b", 1L, "c", 1L, "d", 2L, "x", 1L), Set.of("a")));
    Map<String, Long> counts = new HashMap<>();
    merged.rare().forEach((key, group) -> counts.put(key.toString(), group.docCount()));
    assertThat(counts).containsExactlyInAnyOrderEntriesOf(Map.of("b", 2L, "d", 2L));
    assertThat(merged.common())
        .containsExactlyInAnyOrder(BytesKey.of("a"), BytesKey.of("c"), BytesKey.of("x"));
  }

  @Test
  void survivesSerialization() {
    Partials all =
        new Partials(
            List.of(
                rare(Map.of("a", 1L), Set.of("x")),
                new SignificantPartial(
                    Kind.BYTES,
                    Formats.RAW,
                    7,
                    100,
                    Map.of(BytesKey.of("a"), new SignificantPartial.Bucket(3, 5, Partials.NONE))),
                clusters(1, 2, 9),
                HitsPartial.NONE));
    assertThat(Partials.fromBytes(all.toBytes())).isEqualTo(all);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-3 -2 1 4 5  | 3 | -2.5:2 1.0:1 4.5:2",
        "1 2 3 10 20  | 2 | 4.0:4 20.0:1",
        "1 1 1        | 2 | 1.0:2 1.0:1",
        "5            | 3 | 5.0:1",
      })
  void nearestNeighboursAreMerged(String values, int most, String expected) {
    double[] numbers =
        java.util.Arrays.stream(values.strip().split(" +"))
            .mapToDouble(Double::parseDouble)
            .toArray();
    List<String> shown = new ArrayList<>();
    for (Cluster cluster : clusters(numbers).reducedTo(most).clusters()) {
      shown.add(cluster.center() + ":" + cluster.docCount());
    }
    assertThat(String.join(" ", shown)).isEqualTo(expected);
  }

  private static ClustersPartial clusters(double... values) {
    List<Cluster> clusters = new ArrayList<>();
    for (double value : values) {
      clusters.add(new Cluster(value, value, new Sum(value, 0), 1, Partials.NONE));
    }
    return new ClustersPartial(Formats.RAW, clusters);
  }

  private static RarePartial rare(Map<String, Long> rare, Set<String> common) {
    Map<Object, SinglePartial> groups = new HashMap<>();
    rare.forEach(
        (key, count) -> groups.put(BytesKey.of(key), new SinglePartial(count, Partials.NONE)));
    Set<Object> names = new HashSet<>();
    common.forEach(key -> names.add(BytesKey.of(key)));
    return new RarePartial(Kind.BYTES, Formats.RAW, 2, groups, names);
  }
}
