package io.varve.shard.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which commits are pinned for which leases. */
class PinnedCommitsTest {

  private static List<Long> numbers(String text) {
    return text == null ? List.of() : Stream.of(text.split(" ", -1)).map(Long::valueOf).toList();
  }

  @ParameterizedTest
  @CsvSource({
    // pins,        leases,  kept
    ",              5,       ",
    "10,            ,        ",
    "10,            5,       10",
    "10,            10,      10",
    "10 20 30,      5,       10 30",
    "10 20 30,      10,      10 20 30",
    "10 20 30 40,   15,      10 20 40",
    "10 20 30 40,   20,      20 30 40",
    "10 20 30 40,   99,      40",
    "10 20 30 40,   12 33,   10 20 30 40",
    "10 20 30 40,   22 24,   20 30 40",
  })
  void aLeaseKeepsTheNewestPinThatIsNotPastItAndTheNextOne(
      String pins, String leases, String kept) {
    assertThat(PinnedCommits.kept(new TreeSet<>(numbers(pins)), numbers(leases)))
        .containsExactlyElementsOf(numbers(kept));
  }
}
