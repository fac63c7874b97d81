package io.varve.search.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexSortTest {

  private static final Mapping MAPPING =
      Mapping.parse(
          """
          {"properties":{"n":{"type":"integer"},"k":{"type":"keyword"},"h":{"type":"half_float"},
            "t":{"type":"text"},"a":{"type":"alias","path":"n"}}}
          """);

  private static IndexSort sort(String... keysAndValues) {
    Map<String, String> settings = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      settings.put("index.sort." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return IndexSort.of(settings);
  }

  @Test
  void modesFollowTheOrder() {
    assertThat(sort("field", "n,k", "order", "desc,asc").keys())
        .containsExactly(
            new IndexSort.Key("n", true, true, false), new IndexSort.Key("k", false, false, false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          x | unknown index sort field:[x]
          t | docvalues not found for index sort field:[t]
          h | invalid index sort field:[h]
          a | Cannot use alias [a] as an index sort field
          """)
  void refusesFieldsWithoutAnOrder(String field, String reason) {
    assertThatThrownBy(() -> sort("field", field).check(MAPPING)).hasMessageContaining(reason);
  }

  @Test
  void listsHaveOneLength() {
    assertThatThrownBy(() -> sort("field", "n,k", "order", "asc"))
        .hasMessageContaining("index.sort.field:[n, k] index.sort.order:[asc], size mismatch");
  }

  @Test
  void nestedObjectsCannotBeSorted() {
    Mapping nested =
        Mapping.parse("{\"properties\":{\"n\":{\"type\":\"long\"},\"o\":{\"type\":\"nested\"}}}");
    assertThatThrownBy(() -> sort("field", "n").check(nested))
        .hasMessageContaining("cannot have nested fields when index sort is activated");
  }
}
