package io.varve.coordinator.rest.remotestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import io.varve.rpc.StoredIndex;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestoreNamesTest {

  private static final List<StoredIndex.Entry> STORED =
      List.of(
          new StoredIndex.Entry("logs-1", "u1", 10),
          new StoredIndex.Entry("logs-2", "u2", 10),
          new StoredIndex.Entry("logs-1", "u3", 20),
          new StoredIndex.Entry("books", "u4", 10));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "logs-1       | u3",
        "logs-*       | u3 u2",
        "*            | u3 u2 u4",
        "*,-logs-2    | u3 u4",
        "logs-*,books | u3 u2 u4",
        "none*        | ''",
      })
  void choosesTheNewestOfEachName(String expression, String expected) {
    List<String> wanted = RestoreNames.of(Map.of("indices", expression));

    assertThat(RestoreNames.choose(wanted, STORED, Set.of()).stream().map(StoredIndex.Entry::uuid))
        .isEqualTo(expected.isEmpty() ? List.of() : List.of(expected.split(" ", -1)));
  }

  @Test
  void whatTheClusterKnowsIsLeftAlone() {
    assertThat(RestoreNames.choose(List.of("logs-*", "open"), STORED, Set.of("logs-1", "open")))
        .extracting(StoredIndex.Entry::uuid)
        .containsExactly("u2");
  }

  @Test
  void aNameThatIsNowhereIsNotFound() {
    assertThatThrownBy(() -> RestoreNames.choose(List.of("nope"), STORED, Set.of()))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("no such index [nope] is stored");
  }

  @Test
  void aBodyWithoutIndicesIsRefused() {
    assertThatThrownBy(() -> RestoreNames.of(Map.of())).hasMessageContaining("indices are missing");
    assertThatThrownBy(() -> RestoreNames.of(Map.of("index", "a")))
        .hasMessageContaining("Unknown parameter index");
  }
}
