package io.varve.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.names.Wildcard;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NamePatternsTest {

  private static final long SEED = 20_261;

  @Test
  void matchesWhatOneOfThePatternsMatches() {
    Random random = new Random(SEED);
    for (int round = 0; round < 2_000; round++) {
      List<String> patterns = new ArrayList<>();
      int count = random.nextInt(8);
      for (int i = 0; i < count; i++) {
        patterns.add(text(random, "ab*"));
      }
      NamePatterns compiled = new NamePatterns(patterns);
      for (int i = 0; i < 20; i++) {
        String name = text(random, "ab");
        boolean expected = patterns.stream().anyMatch(pattern -> Wildcard.matches(pattern, name));
        assertThat(compiled.matches(name)).as("%s in %s", name, patterns).isEqualTo(expected);
        assertThat(compiled.matches(name)).as("again").isEqualTo(expected);
      }
    }
  }

  private static String text(Random random, String letters) {
    StringBuilder text = new StringBuilder();
    int length = 1 + random.nextInt(5);
    for (int i = 0; i < length; i++) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    return text.toString();
  }

  @Test
  void noPatternsMatchNothing() {
    NamePatterns none = new NamePatterns(List.of());

    assertThat(none.isEmpty()).isTrue();
    assertThat(none.matches("a")).isFalse();
  }
}
