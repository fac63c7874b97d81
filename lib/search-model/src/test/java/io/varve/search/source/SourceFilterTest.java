package io.varve.search.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceFilterTest {

  private static final String SOURCE =
      """
      {"a":1,"b":{"c":2.50,"d":[1,{"e":"x"}],"f":{}},"list":[{"k":1,"v":2},{"v":3}],"n":null}\
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '~',
      textBlock =
          """
          a       ¦ ~~    ¦ {"a":1}
          b       ¦ ~~    ¦ {"b":{"c":2.50,"d":[1,{"e":"x"}],"f":{}}}
          b.c     ¦ ~~    ¦ {"b":{"c":2.50}}
          b.*     ¦ b.d   ¦ {"b":{"c":2.50,"f":{}}}
          *.e     ¦ ~~    ¦ {"b":{"d":[{"e":"x"}]}}
          ~~      ¦ b     ¦ {"a":1,"list":[{"k":1,"v":2},{"v":3}],"n":null}
          ~~      ¦ *.v   ¦ {"a":1,"b":{"c":2.50,"d":[1,{"e":"x"}],"f":{}},"list":[{"k":1},{}],"n":null}
          list.k  ¦ ~~    ¦ {"list":[{"k":1}]}
          none    ¦ ~~    ¦ {}
          a,n     ¦ n     ¦ {"a":1}
          b.d     ¦ ~~    ¦ {"b":{"d":[1,{"e":"x"}]}}
          """)
  void returnsIncludedFieldsThatAreNotExcluded(String includes, String excludes, String expected) {
    SourceFilter filter = new SourceFilter(true, list(includes), list(excludes));
    assertThat(new String(filter.apply(bytes()), StandardCharsets.UTF_8)).isEqualTo(expected);
  }

  @Test
  void returnsTheSourceUnchangedWithoutAFilter() {
    byte[] source = bytes();
    assertThat(SourceFilter.ALL.apply(source)).isSameAs(source);
  }

  private static List<String> list(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
  }

  private static byte[] bytes() {
    return SOURCE.getBytes(StandardCharsets.UTF_8);
  }
}
