package io.varve.shard.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.shard.retention.Pins.Pin;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which commits are pinned for which leases, and which one a failback continues from. */
class PinsTest {

  private static List<Long> numbers(String text) {
    return text == null ? List.of() : Stream.of(text.split(" ", -1)).map(Long::valueOf).toList();
  }

  private static Pins at(List<Long> offsets) {
    return new Pins(offsets.stream().map(offset -> new Pin(offset, offset - 1)).toList());
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
    assertThat(at(numbers(pins)).kept(numbers(leases))).isEqualTo(at(numbers(kept)));
  }

  @ParameterizedTest
  @CsvSource({"-1, -1", "5, 5", "10, 10", "19, 10", "20, 20", "99, 30"})
  void theLogIsRetainedFromTheNewestPinThatIsNotPastTheLease(long lease, long needed) {
    assertThat(at(List.of(10L, 30L, 20L)).neededFrom(lease)).isEqualTo(needed);
  }

  @Test
  void aFailbackContinuesFromTheNewestPinWithoutAnOperationAfterTheFork() {
    Pins pins = new Pins(List.of(new Pin(10, 7), new Pin(20, 16), new Pin(30, 40)));

    assertThat(pins.newest(30, 40)).contains(new Pin(30, 40));
    assertThat(pins.newest(30, 39)).as("it has later operations").contains(new Pin(20, 16));
    assertThat(pins.newest(19, 39)).contains(new Pin(10, 7));
    assertThat(pins.newest(9, 39)).isEmpty();
    assertThat(pins.newest(10, 6)).isEmpty();
  }
}
