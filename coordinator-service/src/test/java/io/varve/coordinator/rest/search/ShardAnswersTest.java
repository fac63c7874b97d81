package io.varve.coordinator.rest.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.memory.ParentBreaker;
import io.varve.rpc.ApiException;
import io.varve.search.ShardSearchResult;
import io.varve.search.ShardSearchResult.Cut;
import io.varve.search.aggregation.partial.DistinctPartial;
import io.varve.search.aggregation.partial.Partial;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.aggregation.sketch.DistinctSketch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardAnswersTest {

  private static final int MB = 1 << 20;

  private static byte[] answer(int sketches) {
    List<Partial> partials = new ArrayList<>();
    for (int i = 0; i < sketches; i++) {
      DistinctSketch sketch = new DistinctSketch(3_000);
      for (long value = 1; value <= 2_000; value++) {
        sketch.add(DistinctSketch.hash(value));
      }
      partials.add(new DistinctPartial(sketch));
    }
    return new ShardSearchResult(0, true, Float.NaN, List.of(), Cut.NOTHING, 1, 1)
        .aggregated(new Partials(partials))
        .toBytes();
  }

  @Test
  void readsAnAnswerThatThereIsRoomFor() {
    ShardAnswers answers = new ShardAnswers(ParentBreaker.ofAccounted(() -> MB));
    byte[] answer = answer(12);

    ShardSearchResult result = answers.read(answer);

    assertThat(result.aggregations().list()).hasSize(12);
    assertThat(result.extras().aggregationsBytes()).isBetween(answer.length - 100, answer.length);
  }

  @Test
  void refusesAnAnswerWhoseObjectsWouldFillTheHeap() {
    ShardAnswers answers = new ShardAnswers(ParentBreaker.ofAccounted(() -> MB));
    byte[] answer = answer(20);
    assertThat(answer.length).isBetween(MB / 4, MB);

    assertThatThrownBy(() -> answers.read(answer))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().status()).isEqualTo(429);
              assertThat(e.error().type()).isEqualTo("circuit_breaking_exception");
            });
  }
}
