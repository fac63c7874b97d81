package io.varve.coordinator.rest.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.search.SearchContextId.Kind;
import io.varve.coordinator.rest.search.SearchContextId.Member;
import io.varve.events.ShardId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SearchContextIdTest {

  private static final SearchContextId ID =
      new SearchContextId(
          Kind.SCROLL,
          "6d5f",
          1_700_000_000_000L,
          List.of(
              new Member("books", new ShardId("u1", 0), "n1", null),
              new Member("books", new ShardId("u1", 1), "n2", "{\"term\":{\"a\":1}}")));

  @Test
  void saysByItselfWhatItIsOf() {
    assertThat(SearchContextId.parse(Kind.SCROLL, ID.encoded())).contains(ID);
  }

  @Test
  void isOfOneKindOnly() {
    assertThat(SearchContextId.parse(Kind.PIT, ID.encoded())).isEmpty();
  }

  @Test
  void noneIsMadeUpByChangingACharacter() {
    String encoded = ID.encoded();
    for (int i = 0; i < encoded.length() - 1; i++) {
      char other = encoded.charAt(i) == 'A' ? 'B' : 'A';
      String changed = encoded.substring(0, i) + other + encoded.substring(i + 1);
      assertThat(SearchContextId.parse(Kind.SCROLL, changed)).as(changed).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "invalid_scroll_id", "%%%", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
  void otherTextsAreNoIds(String text) {
    assertThat(SearchContextId.parse(Kind.SCROLL, text)).isEmpty();
  }
}
