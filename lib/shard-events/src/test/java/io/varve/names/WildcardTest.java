package io.varve.names;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WildcardTest {

  @ParameterizedTest
  @CsvSource({
    "books, books, true",
    "books, book, false",
    "*, '', true",
    "'', '', true",
    "'', a, false",
    "b*s, bs, true",
    "b*s, books, true",
    "b*s, bookss, true",
    "b*s, book, false",
    "*ok*, books, true",
    "*o*o*o*, books, false",
    "**, books, true",
    "b.*, bxy, false",
    "*ab, aab, true",
    "a*ba, aba, true",
    "a*ba, ab, false",
  })
  void aStarStandsForAnyCharacters(String pattern, String text, boolean matches) {
    assertThat(Wildcard.matches(pattern, text)).isEqualTo(matches);
  }

  @Test
  void manyStarsTakeNoLongerThanOne() {
    String text = "a".repeat(250);
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          assertThat(Wildcard.matches("*".repeat(200) + "x", text)).isFalse();
          assertThat(Wildcard.matches("*a".repeat(100) + "x", text)).isFalse();
          assertThat(Wildcard.matches("*a".repeat(100) + "*", text)).isTrue();
        });
  }

  @Test
  void anyPatternMatchesWhatItsRegularExpressionDoes() {
    long seed = Long.parseUnsignedLong(System.getProperty("tests.seed", "5EED"), 16);
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      String pattern = letters(random, "ab*", 6);
      String text = letters(random, "ab", 8);
      String regex =
          Stream.of(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
      assertThat(Wildcard.matches(pattern, text))
          .as("[%s] and [%s], seed %d", pattern, text, seed)
          .isEqualTo(Pattern.matches(regex, text));
    }
  }

  private static String letters(Random random, String alphabet, int most) {
    return random
        .ints(random.nextInt(most + 1), 0, alphabet.length())
        .mapToObj(i -> alphabet.substring(i, i + 1))
        .collect(Collectors.joining());
  }
}
