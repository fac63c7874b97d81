package io.varve.coordinator.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.IndexMetadata;
import io.varve.rpc.ApiException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexResolverTest {

  private final FakeCluster cluster =
      new FakeCluster()
          .index("a", 1)
          .index("ab", 1)
          .index("b", 1)
          .index(".secret", 1, Map.of("index.hidden", "true"));

  private List<String> names(String expression, IndexOptions options) {
    return IndexResolver.resolve(cluster.state(), expression, options).stream()
        .map(IndexMetadata::name)
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "none | a ab b",
        "_all | a ab b",
        "* | a ab b",
        "a | a",
        "b,a | b a",
        "a* | a ab",
        "*b | ab b",
        "a*,-ab | a",
        "*,-a* | b",
        ".s* | .secret",
        ".secret | .secret",
        "z* | ''",
      })
  void findsWhatIsMeant(String expression, String expected) {
    assertThat(String.join(" ", names(expression, IndexOptions.LENIENT)))
        .isEqualTo(expected.equals("''") ? "" : expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"z | z", "a,z | z", "-a | -a"})
  void aMissingNameIsAnError(String expression, String missing) {
    assertThatThrownBy(() -> names(expression, IndexOptions.LENIENT))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().status()).isEqualTo(404);
              assertThat(e.error().reason()).isEqualTo("no such index [" + missing + "]");
              assertThat(e.error().fields())
                  .containsEntry("resource.type", "index_or_alias")
                  .containsEntry("index_uuid", "_na_");
            });
  }

  @Test
  void optionsDecideAboutMissingAndHidden() {
    assertThat(names("a,z", new IndexOptions(true, true, true, false))).containsExactly("a");
    assertThat(names("*", new IndexOptions(false, true, true, true))).contains(".secret");
    assertThat(names("*", new IndexOptions(false, true, false, false))).isEmpty();
    assertThatThrownBy(() -> names("z*", IndexOptions.STRICT))
        .hasMessageContaining("no such index [z*]");
  }
}
