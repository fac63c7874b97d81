package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PowerOfTwoHistogramTest {

  private static PowerOfTwoHistogram read(String json) {
    return PowerOfTwoHistogram.sum(MeasuredServer.JSON.readTree(json), "i-re-repl");
  }

  @Test
  void theHistogramsOfAllNodesAreAdded() {
    assertThat(
            read(
                """
                {"nodes":{
                  "a":{"rereplication":{"i-re-repl":{"buckets":{"00":3,"01":1}}}},
                  "b":{"rereplication":{"i-re-repl":{"buckets":{"01":2,"07":4}},"j-re-repl":{"buckets":{"00":9}}}}
                }}
                """))
        .isEqualTo(new PowerOfTwoHistogram(Map.of(0, 3L, 1, 3L, 7, 4L)));
  }

  @Test
  void percentagesAreThoseSinceAnEarlierOne() {
    PowerOfTwoHistogram before = new PowerOfTwoHistogram(Map.of(0, 3L, 4, 1L));
    PowerOfTwoHistogram after = new PowerOfTwoHistogram(Map.of(0, 4L, 1, 1L, 4, 2L, 7, 1L));

    assertThat(after.since(before).percentages()).isEqualTo("75/50/25");
    assertThat(before.since(before).percentages()).isEqualTo("0/0/0");
  }
}
