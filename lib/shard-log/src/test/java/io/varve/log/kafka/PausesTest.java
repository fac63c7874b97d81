package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PausesTest {

  @Test
  void eachPauseIsTwiceAsLongUpToALimit() {
    List<Long> millis = new ArrayList<>();
    Pauses pauses = new Pauses(nanos -> millis.add(Duration.ofNanos(nanos).toMillis()));

    for (int i = 0; i < 7; i++) {
      pauses.pause();
    }

    assertThat(millis).containsExactly(1L, 2L, 4L, 8L, 16L, 20L, 20L);
  }
}
