package io.varve.engine.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.varve.rpc.ApiException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests aggregations that select documents of a bucket: top hits, samples, significant text. */
class ChosenDocumentsTest {

  private static final String BY_NUMBER =
      "{\"function_score\":{\"field_value_factor\":{\"field\":\"n\"},\"boost_mode\":\"replace\"}}";

  private SearchedIndex index;

  @BeforeEach
  void twentyDocuments() throws IOException {
    index =
        new SearchedIndex(
            "{\"properties\":{\"k\":{\"type\":\"keyword\"},\"n\":{\"type\":\"long\"},"
                + "\"tag\":{\"type\":\"keyword\"}}}");
    for (int i = 1; i <= 20; i++) {
      index.add(
          "d" + i,
          "{\"k\":\"%s\",\"n\":%d,\"tag\":[\"all\",\"%s\"]}"
              .formatted(i % 2 == 0 ? "even" : "odd", i, i % 2 == 0 && i > 6 ? "own" : "other"));
      if (i % 6 == 0) {
        index.segment();
      }
    }
  }

  @AfterEach
  void close() throws IOException {
    index.close();
  }

  private static List<?> list(Map<?, ?> of, String name) {
    return (List<?>) of.get(name);
  }

  private static Map<?, ?> map(Object of) {
    return (Map<?, ?>) of;
  }

  private static List<Object> each(List<?> buckets, String name) {
    return buckets.stream().map(bucket -> (Object) map(bucket).get(name)).toList();
  }

  private static List<Object> ids(Map<?, ?> bucket) {
    return each(list(map(map(bucket.get("best")).get("hits")), "hits"), "_id");
  }

  @Test
  void eachGroupHasItsBestHitsInTheirOrder() throws IOException {
    Map<?, ?> found =
        index.aggregated(
            "{\"terms\":{\"field\":\"k\"},\"aggs\":{\"best\":{\"top_hits\":{\"size\":2,\"from\":1,"
                + "\"sort\":[{\"n\":\"desc\"}],\"_source\":[\"n\"]}}}}");
    List<?> buckets = list(found, "buckets");
    assertThat(ids(map(buckets.get(0)))).containsExactly("d18", "d16");
    assertThat(ids(map(buckets.get(1)))).containsExactly("d17", "d15");
    Map<?, ?> hits = map(map(map(buckets.get(0)).get("best")).get("hits"));
    assertThat(map(hits.get("total")).get("value")).isEqualTo(10);
    Map<?, ?> first = map(list(hits, "hits").getFirst());
    assertThat(first.get("_source")).isEqualTo(Map.of("n", 18));
    assertThat(list(first, "sort").getFirst()).isEqualTo(18);
    assertThat(first.get("_score")).isNull();
  }

  @Test
  void scoresOfBestHitsAreThoseOfTheQuery() throws IOException {
    Map<?, ?> plain =
        index.aggregated(
            BY_NUMBER,
            "{\"terms\":{\"field\":\"k\"},\"aggs\":{\"best\":{\"top_hits\":{\"size\":1}}}}");
    Map<?, ?> even = map(list(plain, "buckets").getFirst());
    assertThat(ids(even)).containsExactly("d20");
    assertThat(map(map(even.get("best")).get("hits")).get("max_score")).isEqualTo(20.0);
    Map<?, ?> tracked =
        index.aggregated(
            BY_NUMBER,
            "{\"terms\":{\"field\":\"k\"},\"aggs\":{\"best\":{\"top_hits\":{\"size\":1,"
                + "\"sort\":[{\"n\":\"asc\"}],\"track_scores\":true}}}}");
    Map<?, ?> hits = map(map(map(list(tracked, "buckets").getFirst()).get("best")).get("hits"));
    assertThat(map(list(hits, "hits").getFirst()).get("_id")).isEqualTo("d2");
    assertThat(map(list(hits, "hits").getFirst()).get("_score")).isEqualTo(2.0);
    assertThat(hits.get("max_score")).isEqualTo(20.0);
  }

  @Test
  void theResultWindowOfTopHitsIsLimited() {
    assertThatThrownBy(() -> index.aggregated("{\"top_hits\":{\"size\":60,\"from\":50}}"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("Top hits result window is too large");
  }

  @Test
  void aSampleHasTheBestDocumentsOfAllSegments() throws IOException {
    Map<?, ?> sample =
        index.aggregated(
            BY_NUMBER,
            "{\"sampler\":{\"shard_size\":4},\"aggs\":{\"k\":{\"terms\":{\"field\":\"k\"}},"
                + "\"least\":{\"min\":{\"field\":\"n\"}}}}");
    assertThat(sample.get("doc_count")).isEqualTo(4);
    assertThat(map(sample.get("least")).get("value")).isEqualTo(17.0);
    assertThat(each(list(map(sample.get("k")), "buckets"), "doc_count")).containsExactly(2, 2);
  }

  @Test
  void aDiversifiedSampleHasAtMostTheRequestedDocumentsOfEachValue() throws IOException {
    Map<?, ?> sample =
        index.aggregated(
            BY_NUMBER,
            "{\"diversified_sampler\":{\"field\":\"k\",\"shard_size\":10,\"max_docs_per_value\":2},"
                + "\"aggs\":{\"least\":{\"min\":{\"field\":\"n\"}}}}");
    assertThat(sample.get("doc_count")).isEqualTo(4);
    assertThat(map(sample.get("least")).get("value")).isEqualTo(17.0);
    assertThatThrownBy(() ->
            index.aggregated(
                "{\"diversified_sampler\":{\"field\":\"tag\"},"
                    + "\"aggs\":{\"n\":{\"min\":{\"field\":\"n\"}}}}"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("single valued");
  }

  @Test
  void significantTermsAreThoseThatOtherGroupsLack() throws IOException {
    Map<?, ?> found =
        index.aggregated(
            "{\"term\":{\"k\":\"even\"}}",
            "{\"significant_terms\":{\"field\":\"tag\",\"min_doc_count\":1}}");
    assertThat(found.get("doc_count")).isEqualTo(10);
    assertThat(found.get("bg_count")).isEqualTo(20);
    List<?> buckets = list(found, "buckets");
    assertThat(buckets).hasSize(1);
    Map<?, ?> own = map(buckets.getFirst());
    assertThat(own.get("key")).isEqualTo("own");
    assertThat(own.get("doc_count")).isEqualTo(7);
    assertThat(own.get("bg_count")).isEqualTo(7);
    // (7/10 - 7/20) * (7/10) / (7/20)
    assertThat((Double) own.get("score")).isCloseTo(0.7, within(1e-9));
  }

  @Test
  void aBackgroundFilterNarrowsTheBackground() throws IOException {
    Map<?, ?> found =
        index.aggregated(
            "{\"term\":{\"k\":\"even\"}}",
            "{\"significant_terms\":{\"field\":\"tag\",\"min_doc_count\":1,"
                + "\"background_filter\":{\"range\":{\"n\":{\"gt\":6}}}}}");
    assertThat(found.get("bg_count")).isEqualTo(14);
    assertThat(each(list(found, "buckets"), "key")).contains("own");
  }
}
