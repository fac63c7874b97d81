package io.varve.coordinator.rest.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.memory.ParentBreaker;
import io.varve.rpc.ApiException;
import io.varve.search.SearchRequest;
import io.varve.search.ShardSearchResult;
import io.varve.search.ShardSearchResult.Cut;
import io.varve.search.aggregation.MetricAggregation.Digest;
import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.DigestPartial;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.aggregation.sketch.ValueDigest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ArrivingAnswersTest {

  private static final long MB = 1L << 20;

  private static final SearchRequest PERCENTILES =
      SearchRequest.parse(
          """
          {"size": 0, "aggs": {"p": {"percentiles":
            {"field": "n", "hdr": {"number_of_significant_value_digits": 5}}}}}\
          """
              .getBytes(StandardCharsets.UTF_8),
          Map.of());

  /** An HDR histogram whose values are a million apart, which takes some hundred bytes encoded. */
  private static ShardSearchResult answer() {
    ValueDigest digest = ValueDigest.of(new Digest.Hdr(5));
    digest.add(1);
    digest.add(1_000_000);
    Partials partials = new Partials(List.of(new DigestPartial(new ValueFormat.Raw(), digest)));
    return new ShardSearchResult(0, true, Float.NaN, List.of(), Cut.NOTHING, 1, 1)
        .aggregated(partials);
  }

  private static Object used(ParentBreaker memory) {
    return ((Map<?, ?>) memory.stats().get("parent")).get("estimated_size_in_bytes");
  }

  private static ArrivingAnswers twoAnswers(ParentBreaker memory) {
    ArrivingAnswers answers = new ArrivingAnswers(PERCENTILES, 512, memory);
    answers.add(answer());
    answers.add(answer());
    return answers;
  }

  @Test
  void aMergeOfHistogramsThatThereIsNoRoomForIsRefused() {
    ParentBreaker memory = ParentBreaker.ofAccounted(() -> 8 * MB);
    ArrivingAnswers answers = twoAnswers(memory);

    assertThatThrownBy(() -> answers.reduced(List.of(), 10))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().status()).isEqualTo(429);
              assertThat(e.error().type()).isEqualTo("circuit_breaking_exception");
              assertThat(e.error().reason())
                  .startsWith("[parent] Data too large, data for [<reduce_aggs>] would be [");
            });
    assertThat(used(memory)).isEqualTo(0L);
  }

  @Test
  void aMergeOfHistogramsIsChargedOnlyWhileItRuns() {
    ParentBreaker memory = ParentBreaker.ofAccounted(() -> 512 * MB);
    ArrivingAnswers answers = twoAnswers(memory);

    assertThat(answers.reduced(List.of(), 10).aggregations()).isNotNull();
    assertThat(used(memory)).isEqualTo(0L);
  }
}
