package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.Templates;
import io.varve.cluster.Templates.Composable;
import io.varve.cluster.Templates.Content;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateComposerTest {

  private static final AliasMetadata WRITING = new AliasMetadata(null, null, null, true, null);

  private static Content settings(String name, String value) {
    return new Content(Map.of(name, value), null, null);
  }

  private static Composable composable(String pattern, long priority, Content content) {
    return new Composable(List.of(pattern), List.of(), priority, null, null, content);
  }

  private static Content made(Templates templates, String index, boolean hidden) {
    return new TemplateComposer(templates).contentFor(index, hidden, Content.EMPTY);
  }

  @Test
  void theHighestPriorityAloneIsApplied() {
    Templates templates =
        new Templates(
            Map.of(),
            Map.of(
                "low", composable("a*", 1, settings("index.codec", "lz4")),
                "high", composable("ab*", 2, settings("index.hidden", "true"))),
            Map.of());
    assertThat(made(templates, "abc", false).settings()).isEqualTo(Map.of("index.hidden", "true"));
    assertThat(made(templates, "ac", false).settings()).isEqualTo(Map.of("index.codec", "lz4"));
  }

  @Test
  void legacyTemplatesCountOnlyWhereNoComposableMatchesAndThenAllByOrder() {
    Map<String, Templates.Legacy> legacy =
        Map.of(
            "first",
            new Templates.Legacy(
                List.of("a*"),
                1,
                null,
                new Content(
                    Map.of("s", "1", "t", "1"),
                    "{\"properties\":{\"f\":{\"type\":\"text\",\"store\":true}}}",
                    Map.of("{index}-alias", AliasMetadata.PLAIN))),
            "second",
            new Templates.Legacy(
                List.of("*"),
                2,
                null,
                new Content(
                    Map.of("s", "2"), "{\"properties\":{\"f\":{\"type\":\"keyword\"}}}", null)));
    Content content = made(new Templates(legacy, Map.of(), Map.of()), "abc", false);
    assertThat(content.settings()).isEqualTo(Map.of("s", "2", "t", "1"));
    assertThat(content.mapping())
        .isEqualTo("{\"properties\":{\"f\":{\"type\":\"keyword\",\"store\":true}}}");
    assertThat(content.aliases()).containsOnlyKeys("abc-alias");

    Templates both =
        new Templates(legacy, Map.of("new", composable("abc", 0, Content.EMPTY)), Map.of());
    assertThat(made(both, "abc", false).settings()).isEmpty();
  }

  @Test
  void legacyTemplatesOfOneOrderCountInTheOrderOfTheirNames() {
    Map<String, Templates.Legacy> legacy =
        Stream.of("d", "h", "b", "f", "g", "a", "e", "c")
            .collect(
                Collectors.toMap(
                    name -> name,
                    name -> new Templates.Legacy(List.of("*"), 1, null, settings("s", name))));
    Templates templates = new Templates(legacy, Map.of(), Map.of());
    assertThat(templates.legacy().keySet()).containsExactly("a", "b", "c", "d", "e", "f", "g", "h");
    assertThat(made(templates, "abc", false).settings()).isEqualTo(Map.of("s", "h"));
  }

  @Test
  void aHiddenIndexIsNotMatchedByAll() {
    Templates templates =
        new Templates(Map.of(), Map.of("all", composable("*", 0, settings("s", "1"))), Map.of());
    assertThat(made(templates, "x", true).settings()).isEmpty();
    assertThat(made(templates, "x", false).settings()).containsEntry("s", "1");
  }

  @Test
  void aTemplateOverridesItsComponentsAndLaterOnesOverrideEarlierOnes() {
    Templates.Component low =
        new Templates.Component(
            new Content(
                Map.of("s", "low", "t", "low"),
                "{\"properties\":{\"o.a\":{\"type\":\"text\",\"store\":true}}}",
                Map.of("x", AliasMetadata.PLAIN)),
            null,
            null);
    Templates.Component high =
        new Templates.Component(
            new Content(
                Map.of("t", "high"),
                "{\"properties\":{\"o\":{\"properties\":{\"a\":{\"type\":\"keyword\"}}}}}",
                Map.of("x", WRITING)),
            null,
            null);
    Composable template =
        new Composable(
            List.of("a*"), List.of("low", "high"), null, null, null, settings("u", "own"));
    Templates templates =
        new Templates(Map.of(), Map.of("t", template), Map.of("low", low, "high", high));
    Content content = made(templates, "abc", false);
    assertThat(content.settings()).isEqualTo(Map.of("s", "low", "t", "high", "u", "own"));
    assertThat(content.mapping())
        .isEqualTo("{\"properties\":{\"o\":{\"properties\":{\"a\":{\"type\":\"keyword\"}}}}}");
    assertThat(content.aliases()).isEqualTo(Map.of("x", WRITING));
  }

  @ParameterizedTest
  @CsvSource({
    "a*, *b, true",
    "a*, b*, false",
    "abc, a*c, true",
    "abc, a*d, false",
    "*, x, true",
    "a*b*c, axbyc, true",
    "a*b, a*c, false",
    "te*, t*, true",
    "*a*, *b*, true",
    "abc, abc, true",
    "abc, abcd, false"
  })
  void patternsOverlapIfTheyMatchACommonText(String a, String b, boolean overlap) {
    assertThat(Globs.overlap(a, b)).isEqualTo(overlap);
    assertThat(Globs.overlap(b, a)).isEqualTo(overlap);
  }
}
