package io.varve.coordinator.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.IndexMetadata;
import io.varve.rpc.ApiException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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

  private void happened(ClusterEvent event) {
    cluster.change(s -> s.apply(event));
  }

  private void alias(String index, String name, AliasMetadata alias) {
    happened(
        new ClusterEvent.AliasesChanged(Map.of(index + "-uuid", Map.of(name, alias)), List.of()));
  }

  private static AliasMetadata filtered(String filter, String searchRouting) {
    return new AliasMetadata(filter, null, searchRouting, null, null);
  }

  @Test
  void anAliasMeansItsIndicesByNameAndByPattern() {
    alias("a", "x1", AliasMetadata.PLAIN);
    alias("b", "x1", AliasMetadata.PLAIN);
    assertThat(names("x1", IndexOptions.LENIENT)).containsExactly("a", "b");
    assertThat(names("x*,ab", IndexOptions.LENIENT)).containsExactly("a", "b", "ab");
    assertThatThrownBy(() -> names("x1", IndexOptions.CONCRETE))
        .hasMessageContaining("specify the corresponding concrete indices instead");
    assertThat(names("x*", IndexOptions.CONCRETE)).isEmpty();
  }

  @Test
  void aClosedIndexIsFoundByThoseWhoLookForIt() {
    happened(new ClusterEvent.IndexClosed("ab-uuid"));
    assertThat(names("*", IndexOptions.LENIENT)).containsExactly("a", "b");
    assertThat(names("*", IndexOptions.SHOW_CLOSED)).containsExactly("a", "ab", "b");
    assertThat(names("ab", IndexOptions.SHOW)).containsExactly("ab");
    assertThatThrownBy(() -> names("ab", IndexOptions.LENIENT))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> assertThat(e.error().type()).isEqualTo("index_closed_exception"));
  }

  private SearchIndex onlySearch(String expression, @Nullable String routing) {
    return IndexResolver.search(cluster.state(), expression, IndexOptions.LENIENT, routing)
        .getFirst();
  }

  @Test
  void aSearchIsNarrowedByTheAliasesThatLedToTheIndexAlone() {
    alias("a", "x", filtered("{\"1\":1}", "r1"));
    alias("a", "y", filtered("{\"2\":2}", "r2"));
    alias("a", "z", AliasMetadata.PLAIN);
    assertThat(onlySearch("x", null).filter()).isEqualTo("{\"1\":1}");
    assertThat(onlySearch("x,y", null).filter())
        .isEqualTo("{\"bool\":{\"should\":[{\"1\":1},{\"2\":2}]}}");
    assertThat(onlySearch("x,z", null).filter()).isNull();
    assertThat(onlySearch("a,x", null).filter()).isNull();
    assertThat(onlySearch("a*", null).filter()).isNull();
    assertThat(onlySearch("x", null).routing()).containsExactly("r1");
    assertThat(onlySearch("x,y", null).routing()).containsExactlyInAnyOrder("r1", "r2");
    assertThat(onlySearch("x,y", "r2,r3").routing()).containsExactly("r2");
    assertThat(onlySearch("x,z", null).routing()).isNull();
    assertThat(onlySearch("z", "r9").routing()).containsExactly("r9");
  }
}
