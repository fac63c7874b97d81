package io.varve.coordinator.rest.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AutoIdsTest {

  private final AtomicLong millis = new AtomicLong(1_700_000_000_000L);
  private final InstantSource clock = () -> Instant.ofEpochMilli(millis.get());

  @Test
  void idsAreTwentyUrlSafeCharacters() {
    assertThat(new AutoIds(clock, new Random(1)).next()).matches("[-_A-Za-z0-9]{20}");
  }

  @Test
  void idsSortByTheirMakingAlsoWhenTheClockGoesBack() {
    AutoIds ids = new AutoIds(clock, new Random(1));
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      made.add(ids.next());
      millis.addAndGet(i % 100 == 99 ? -3000 : i % 3);
    }

    assertThat(made).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void twoProcessesDifferAtTheSameMoment() {
    assertThat(new AutoIds(clock, new Random(1)).next())
        .isNotEqualTo(new AutoIds(clock, new Random(2)).next());
  }
}
