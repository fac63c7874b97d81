package io.varve.engine.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.search.mapping.ValueException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests fields whose values are ranges: an excluded bound is replaced by the nearest included
 * value.
 */
class RangeFieldsSearchedTest {

  private static SearchedIndex index(String type) throws IOException {
    return new SearchedIndex("{\"properties\":{\"r\":{\"type\":\"" + type + "\"}}}");
  }

  private static List<String> matching(SearchedIndex index, String bounds) {
    return index.matching("{\"range\":{\"r\":{" + bounds.replace('\'', '"') + "}}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'gte':5,'lte':6|a b",
        "'gt':5,'lt':7|b",
        "'lte':9,'gt':9|nothing",
        "'gte':6,'lte':9,'relation':'within'|b",
        "'gt':5,'lt':10,'relation':'within'|b",
        "'gte':2,'lte':3,'relation':'contains'|a c",
        "'gte':100|c",
      })
  void wholeNumbers(String bounds, String ids) throws IOException {
    try (SearchedIndex index = index("integer_range")) {
      index
          .add("a", "{\"r\":{\"gte\":1,\"lte\":5}}")
          .add("b", "{\"r\":{\"gt\":5,\"lt\":10}}")
          .add("c", "{\"r\":[{\"lt\":4},{\"gt\":99}]}");
      List<String> expected = ids.equals("nothing") ? List.of() : List.of(ids.split(" ", -1));
      assertThat(matching(index, bounds)).isEqualTo(expected);
    }
  }

  @Test
  void decimalNumbers() throws IOException {
    try (SearchedIndex index = index("float_range")) {
      index.add("a", "{\"r\":{\"gt\":1.5,\"lt\":2.5}}").add("b", "{\"r\":{\"gte\":2.5}}");
      assertThat(matching(index, "'lte':1.5")).isEmpty();
      assertThat(matching(index, "'gte':2.5")).containsExactly("b");
      assertThat(matching(index, "'gte':2,'lte':3")).containsExactly("a", "b");
    }
  }

  @Test
  void addressesAndTheirBlocks() throws IOException {
    try (SearchedIndex index = index("ip_range")) {
      index
          .add("a", "{\"r\":\"10.1.0.0/16\"}")
          .add("b", "{\"r\":{\"gt\":\"10.1.255.255\",\"lte\":\"10.2.0.9\"}}");
      assertThat(matching(index, "'gte':'10.1.7.7','lte':'10.1.7.7'")).containsExactly("a");
      assertThat(matching(index, "'gte':'10.2.0.0','lte':'10.2.0.0'")).containsExactly("b");
      assertThat(matching(index, "'gt':'10.1.255.254','lt':'10.2.0.1'")).containsExactly("a", "b");
    }
  }

  @Test
  void dates() throws IOException {
    try (SearchedIndex index = index("date_range")) {
      index.add("a", "{\"r\":{\"gte\":\"2024-03-01\",\"lt\":\"2024-03-15\"}}");
      assertThat(matching(index, "'gte':'2024-03-14','lte':'2024-03-14'")).containsExactly("a");
      assertThat(matching(index, "'gte':'2024-03-15'")).isEmpty();
      assertThat(matching(index, "'gte':'now/d'")).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'gt':5,'lt':6}|min value (6) is greater than max value (5)",
        "{'from':5}|error parsing field [r], with unknown parameter [from]",
        "7|error parsing field [r], expected an object but got 7",
      })
  void refusesMalformedRanges(String value, String reason) throws IOException {
    try (SearchedIndex index = index("integer_range")) {
      assertThatThrownBy(() -> index.add("a", "{\"r\":" + value.replace('\'', '"') + "}"))
          .isInstanceOf(ValueException.class)
          .hasMessageContaining(reason);
    }
  }
}
