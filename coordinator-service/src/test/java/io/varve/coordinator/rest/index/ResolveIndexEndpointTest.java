package io.varve.coordinator.rest.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.coordinator.rest.RestHarness;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Uses three indices, one of them closed and one hidden, and an alias of two of them. */
class ResolveIndexEndpointTest {

  private static final String OPEN =
      "{\"name\":\"books\",\"aliases\":[\"all\"],\"attributes\":[\"open\"]}";
  private static final String CLOSED =
      "{\"name\":\"shelves\",\"aliases\":[\"all\"],\"attributes\":[\"closed\"]}";
  private static final String HIDDEN = "{\"name\":\"secret\",\"attributes\":[\"open\",\"hidden\"]}";
  private static final String ALIAS = "{\"name\":\"all\",\"indices\":[\"books\",\"shelves\"]}";

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void threeIndices() {
    rest.cluster.index("books", 1);
    rest.cluster.index("shelves", 1);
    rest.cluster.index("secret", 1, Map.of("index.hidden", "true"));
    Map<String, AliasMetadata> all = Map.of("all", AliasMetadata.PLAIN);
    rest.cluster.change(state ->
        state
            .apply(
                new ClusterEvent.AliasesChanged(
                    Map.of("books-uuid", all, "shelves-uuid", all), List.of()))
            .apply(new ClusterEvent.IndexClosed("shelves-uuid")));
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
          books                        | OPEN        |
          all                          |             | ALIAS
          *                            | OPEN        | ALIAS
          b*,a*                        | OPEN        | ALIAS
          *?expand_wildcards=closed    | CLOSED      | ALIAS
          *?expand_wildcards=all       | OPEN HIDDEN CLOSED | ALIAS
          secret                       | HIDDEN      |
          *,-books                     |             | ALIAS
          x*                           |             |
          """)
  void namesTheIndicesAndAliasesOfAnExpression(String expression, String indices, String aliases)
      throws Exception {
    var answer = rest.call("GET /_resolve/index/" + expression);

    assertThat(answer.getStatus()).isEqualTo(200);
    assertThat(answer.getContentAsString())
        .isEqualTo(
            "{\"indices\":[%s],\"aliases\":[%s],\"data_streams\":[]}"
                .formatted(shown(indices), shown(aliases)));
  }

  private static String shown(String names) {
    if (names == null) {
      return "";
    }
    return String.join(",", names.strip().split(" "))
        .replace("OPEN", OPEN)
        .replace("CLOSED", CLOSED)
        .replace("HIDDEN", HIDDEN)
        .replace("ALIAS", ALIAS);
  }

  @Test
  void answers404ToANameOfNothing() {
    assertThat(rest.call("GET /_resolve/index/missing").getStatus()).isEqualTo(404);
    assertThat(rest.call("GET /_resolve/index/missing?ignore_unavailable=true").getStatus())
        .isEqualTo(200);
  }
}
