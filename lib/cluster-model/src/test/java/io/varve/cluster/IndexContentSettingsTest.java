package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.Setting.Change;
import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Whole;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of the settings of mapping, analysis, storage and search, and when they may change. */
class IndexContentSettingsTest {

  private static final String[] RANGES = {
    "index.codec.compression_level, 1, 6",
    "index.merge.policy.max_merge_at_once, 2, 2147483647",
    "index.max_result_window, 1, 2147483647",
    "index.max_slices_per_scroll, 1, 2147483647",
    "index.max_slices_per_pit, 1, 2147483647",
    "index.mapping.total_fields.limit, 0, 2147483647",
    "index.mapping.depth.limit, 1, 2147483647",
    "index.mapping.nested_fields.limit, 0, 2147483647",
    "index.mapping.nested_objects.limit, 0, 2147483647",
    "index.mapping.field_name_length.limit, 1, 9223372036854775807",
    "index.analyze.max_token_count, 1, 2147483647",
    "index.max_ngram_diff, 0, 2147483647",
    "index.max_shingle_diff, 0, 2147483647",
    "index.max_inner_result_window, 1, 2147483647",
    "index.max_adjacency_matrix_filters, 2, 10000",
    "index.search.concurrent.max_slice_count, 0, 2147483647",
    "index.max_rescore_window, 1, 2147483647",
    "index.max_docvalue_fields_search, 0, 2147483647",
    "index.max_terms_count, 1, 2147483647",
    "index.max_regex_length, 1, 2147483647",
    "index.query.max_determinized_states, 1, 1000000",
    "index.query.max_query_string_depth, 1, 500",
    "index.highlight.max_analyzed_offset, 1, 2147483647",
  };

  private static Setting find(String name) {
    return IndexContentSettings.ALL.stream()
        .filter(setting -> setting.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Set<String> namesWith(Change change) {
    return IndexContentSettings.ALL.stream()
        .filter(setting -> setting.change() == change)
        .map(Setting::name)
        .collect(Collectors.toSet());
  }

  @Test
  void everyNumberHasATestedRange() {
    Set<String> tested =
        Arrays.stream(RANGES)
            .map(range -> range.substring(0, range.indexOf(',')))
            .collect(Collectors.toSet());
    Set<String> numbers =
        IndexContentSettings.ALL.stream()
            .filter(setting -> setting.kind() instanceof Whole)
            .map(Setting::name)
            .collect(Collectors.toSet());

    assertThat(tested).isEqualTo(numbers);
  }

  @Test
  void aNumberIsTakenFromTheFirstToTheLastOfItsRange() {
    for (String range : RANGES) {
      String[] columns = range.split(", ", -1);
      Setting setting = find(columns[0]);
      BigInteger first = new BigInteger(columns[1]);
      BigInteger last = new BigInteger(columns[2]);
      assertThat(setting.refusal(columns[0], first.toString())).as(range).isNull();
      assertThat(setting.refusal(columns[0], last.toString())).as(range).isNull();
      assertThat(setting.refusal(columns[0], first.subtract(BigInteger.ONE).toString()).reason())
          .isEqualTo(
              "Failed to parse value [%s] for setting [%s] must be >= %s",
              first.subtract(BigInteger.ONE), columns[0], first);
      assertThat(setting.refusal(columns[0], last.add(BigInteger.ONE).toString()).reason())
          .startsWith(
              "Failed to parse value [%s] for setting [%s]"
                  .formatted(last.add(BigInteger.ONE), columns[0]));
    }
  }

  @Test
  void whatDocumentsOnDiskDependOnIsFixedAtTheCreation() {
    assertThat(namesWith(Change.FINAL))
        .containsExactlyInAnyOrder(
            "index.derived_source.enabled",
            "index.sort.field",
            "index.sort.order",
            "index.sort.mode",
            "index.sort.missing");
    assertThat(namesWith(Change.STATIC))
        .containsExactlyInAnyOrder(
            "index.mapping.coerce", "index.mapping.ignore_malformed", "index.analysis.*");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void aFlagIsTrueOrFalse(String value) {
    assertThat(IndexContentSettings.ALL)
        .filteredOn(setting -> setting.kind() instanceof Flag)
        .hasSize(5)
        .allSatisfy(setting -> {
          assertThat(setting.refusal(setting.name(), value)).isNull();
          assertThat(setting.refusal(setting.name(), value + "s")).isNotNull();
        });
  }

  @ParameterizedTest
  @CsvSource({"none, true", "all, true", "auto, true", "some, false", "ALL, false", "'', false"})
  void searchOfSegmentsIsConcurrentByMode(String mode, boolean taken) {
    String name = "index.search.concurrent_segment_search.mode";

    assertThat(find(name).refusal(name, mode) == null).isEqualTo(taken);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, true",
    "0, true",
    "100ms, true",
    "1d, true",
    "-2, false",
    "5, false",
    "x, false"
  })
  void aRefreshIntervalIsATimeOrMinusOne(String interval, boolean taken) {
    assertThat(find("index.refresh_interval").refusal("index.refresh_interval", interval) == null)
        .isEqualTo(taken);
  }
}
