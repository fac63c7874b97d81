package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class BulkOutcomesTest {

  private static final List<String> IDS = List.of("a", "b", "c");

  private static final class ManualClock implements LoadClock {
    private long millis;

    @Override
    public long nanos() {
      return millis * 1_000_000;
    }

    @Override
    public Instant now() {
      return Instant.ofEpochMilli(millis);
    }

    @Override
    public void sleepNanos(long nanos) {
      throw new AssertionError("nothing waits");
    }
  }

  private final ManualClock clock = new ManualClock();
  private final BulkOutcomes outcomes = new BulkOutcomes(clock);

  private boolean answered(int status, String text) {
    return outcomes.answered(IDS, new HttpConnection.Answer(status, text.getBytes(UTF_8)));
  }

  @Test
  void eachDocumentHasOneOutcome() {
    assertThat(answered(200, "{\"took\":1,\"errors\":false,\"items\":[]}")).isTrue();
    assertThat(
            answered(
                200,
                "{\"errors\":true,\"items\":[{\"index\":{\"status\":201}},"
                    + "{\"index\":{\"status\":429,\"error\":{}}}]}"))
        .isTrue();
    assertThat(answered(503, "{}")).isFalse();
    outcomes.unanswered(List.of("d"));

    assertThat(outcomes.acked()).isEqualTo(4);
    assertThat(outcomes.refused()).as("an item without an answer is refused").isEqualTo(5);
    assertThat(outcomes.unanswered()).isEqualTo(1);
    assertThat(outcomes.unackedIds()).containsExactly("b", "c", "a", "b", "c", "d");
  }

  @Test
  void refusalsDoNotEndATimeWithoutAnAck() {
    clock.millis = 30;
    answered(200, "{\"errors\":false}");
    clock.millis = 90;
    answered(429, "{}");
    clock.millis = 100;
    answered(200, "{\"errors\":false}");

    assertThat(outcomes.longestGapMillis()).isEqualTo(70);
  }

  @Test
  void timesBeforeTheFirstAckAndAfterTheLastOneCount() {
    clock.millis = 30;
    answered(200, "{\"errors\":false}");
    assertThat(outcomes.longestGapMillis()).isEqualTo(30);

    clock.millis = 500;
    outcomes.ended();
    assertThat(outcomes.longestGapMillis()).isEqualTo(470);
  }
}
