package io.varve.coordinator.rest.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.coordinator.rest.search.MultiSearchParser.Item;
import io.varve.rpc.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MultiSearchParserTest {

  private static List<Item> parse(String text, Map<String, String> defaults) {
    return new MultiSearchParser(defaults).parse(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aHeaderSaysWhatTheUrlWouldAndTheDefaultsHoldForTheRest() {
    List<Item> items =
        parse(
            """
            {"index":["a","b"],"routing":"r"}
            {"size":3}

            {"query":{"match_all":{}}}
            """,
            Map.of("index", "all"));

    assertThat(items).hasSize(2);
    assertThat(items.getFirst().searchOptions().where().expression()).isEqualTo("a,b");
    assertThat(items.getFirst().searchOptions().where().routing()).isEqualTo("r");
    assertThat(items.getFirst().request().page().size()).isEqualTo(3);
    assertThat(items.getLast().searchOptions().where().expression()).isEqualTo("all");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}~{}                  | terminated by a newline",
        "null~{}~               | must be an object",
        "{}~                    | has no search",
        "{\"foo\":1}~{}~        | key [foo] is not supported in the metadata section",
      })
  void refuses(String text, String reason) {
    assertThatThrownBy(() -> parse(text.replace("~", "\n"), Map.of()))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining(reason);
  }
}
