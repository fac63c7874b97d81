package io.varve.coordinator.rest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.RestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers to changes that this coordinator has applied, and another one has not in time. */
class NotAcknowledgedTest {

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void makeIndex() {
    rest.cluster.index("books", 1);
    rest.cluster.anotherCoordinatorLags();
  }

  @AfterEach
  void close() {
    rest.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PUT /letters                         |
          DELETE /books                        |
          PUT /books/_mapping                  | {"properties":{"author":{"type":"keyword"}}}
          PUT /books/_settings                 | {"number_of_replicas":0}
          PUT /books/_block/write              |
          POST /books/_close                   |
          POST /books/_open                    |
          PUT /books/_alias/library            |
          DELETE /books/_alias/library         |
          POST /_aliases                       | {"actions":[{"add":{"index":"books","alias":"a"}}]}
          PUT /_index_template/t               | {"index_patterns":["t*"]}
          DELETE /_index_template/t            |
          PUT /_cluster/settings               | {"persistent":{"action.auto_create_index":false}}
          POST /_cluster/reroute               |
          POST /books/_scale                   | {"search_only":false}
          POST /books/_ccr/pause_follow        |
          DELETE /_component_template/t        |
          """)
  void theyAreNotAcknowledged(String call, String body) throws Exception {
    var answer = rest.call(call, body == null ? "" : body);

    assertThat(answer.getContentAsString()).contains("\"acknowledged\":false");
    assertThat(answer.getStatus()).isEqualTo(200);
    assertThat(rest.cluster.commands()).hasSize(1);
  }

  @Test
  void aWriteThatCreatesItsIndexIsAnswered() throws Exception {
    var answer = rest.call("PUT /letters/_doc/1", "{}");

    assertThat(answer.getStatus()).isNotEqualTo(503);
    assertThat(rest.cluster.state().indices()).containsKey("letters");
  }

  @Test
  void aBulkThatCreatesIndicesWaitsOnce() throws Exception {
    String lines =
        """
        {"index":{"_index":"letters"}}
        {}
        {"index":{"_index":"diaries"}}
        {}
        """;

    rest.call("POST /_bulk", lines);
    assertThat(rest.cluster.state().indices()).containsKeys("letters", "diaries");
    assertThat(rest.cluster.acknowledgementsAwaited()).isEqualTo(1);

    rest.call("POST /_bulk", lines);
    assertThat(rest.cluster.acknowledgementsAwaited()).isEqualTo(1);
  }
}
