package io.varve.engine.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The replacement of a missing value may be outside the value ranges of all segments. */
class MissingValuesAggregatedTest {

  @Test
  void aDateAfterAllOthersHasItsOwnInterval() throws IOException {
    try (SearchedIndex index = new SearchedIndex("{\"properties\":{\"t\":{\"type\":\"date\"}}}")) {
      index.add("a", "{\"t\":\"2024-01-15\"}").add("b", "{\"t\":\"2024-03-15\"}").add("c", "{}");
      String histogram =
          "{\"date_histogram\":{\"field\":\"t\",\"calendar_interval\":\"month\",\"min_doc_count\":1,"
              + "\"format\":\"yyyy-MM\",\"missing\":\"%s\"}}";
      assertThat(buckets(index, histogram.formatted("2024-06"), "key_as_string"))
          .containsExactly("2024-01=1", "2024-03=1", "2024-06=1");
      assertThat(buckets(index, histogram.formatted("2023-06"), "key_as_string"))
          .containsExactly("2023-06=1", "2024-01=1", "2024-03=1");
    }
  }

  @Test
  void anAddressIsCountedInItsRangeWhateverOtherAddressesExist() throws IOException {
    try (SearchedIndex index = new SearchedIndex("{\"properties\":{\"ip\":{\"type\":\"ip\"}}}")) {
      index.add("a", "{\"ip\":\"10.0.0.1\"}").add("b", "{\"ip\":\"10.0.0.99\"}").add("c", "{}");
      String ranges =
          "{\"ip_range\":{\"field\":\"ip\",\"missing\":\"10.0.0.7\",\"ranges\":["
              + "{\"from\":\"10.0.0.2\",\"to\":\"10.0.0.5\"},"
              + "{\"from\":\"10.0.0.5\",\"to\":\"10.0.0.9\"},"
              + "{\"from\":\"10.0.0.7\",\"to\":\"10.0.0.8\"},"
              + "{\"to\":\"10.0.0.7\"}]}}";
      assertThat(buckets(index, ranges, "key"))
          .containsExactly(
              "*-10.0.0.7=1", "10.0.0.2-10.0.0.5=0", "10.0.0.5-10.0.0.9=1", "10.0.0.7-10.0.0.8=1");
    }
  }

  private static List<String> buckets(SearchedIndex index, String aggregation, String key)
      throws IOException {
    return ((List<?>) index.aggregated(aggregation).get("buckets"))
        .stream()
            .map(bucket -> (Map<?, ?>) bucket)
            .map(bucket -> bucket.get(key) + "=" + bucket.get("doc_count"))
            .toList();
  }
}
