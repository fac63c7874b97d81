package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FanOutTest {

  private static List<Integer> copies(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @ParameterizedTest(name = "{0} asks {1}")
  @CsvSource({"0,''", "1,''", "2,0", "3,0", "4,1", "5,1", "6,'2,0'", "9,'3,0'", "13,'5,1'"})
  void asksTheCopyBeforeItAndThenThoseBeforeThat(int mine, String asked) {
    assertThat(FanOut.before(copies(14), mine).stream().map(String::valueOf))
        .containsExactly(asked.isEmpty() ? new String[0] : asked.split(",", -1));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 9, 50})
  void nobodyIsAskedByMoreThanTwo(int count) {
    Map<Integer, Integer> askedBy = new HashMap<>();
    int publisher = -1;
    for (int mine : copies(count)) {
      List<Integer> before = FanOut.before(copies(count), mine);
      askedBy.merge(before.isEmpty() ? publisher : before.getFirst(), 1, Integer::sum);
    }

    assertThat(askedBy.values()).allMatch(times -> times <= FanOut.ARITY);
    assertThat(askedBy.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(count);
    assertThat(askedBy).containsEntry(publisher, Math.min(2, count));
  }

  @Test
  void theWayIsShort() {
    assertThat(FanOut.before(copies(62), 61)).hasSizeLessThanOrEqualTo(5);
  }

  @Test
  void whoIsNotInTheRoutingAsksThePublisher() {
    assertThat(FanOut.before(copies(9), 77)).isEmpty();
    assertThat(FanOut.before(List.<Integer>of(), 1)).isEmpty();
  }
}
