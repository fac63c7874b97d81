package io.varve.coordinator.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FreshnessTest {

  private final AtomicLong nanos = new AtomicLong();
  private final Freshness freshness = new Freshness(nanos::get);

  @Test
  void aReportIsOverdueWhenItsStampDoesNotChange() {
    assertThat(freshness.isOverdue("a", 7)).isFalse();
    nanos.addAndGet(Freshness.OVERDUE_NANOS);
    assertThat(freshness.isOverdue("a", 7)).isFalse();
    nanos.addAndGet(1);
    assertThat(freshness.isOverdue("a", 7)).isTrue();
    assertThat(freshness.isOverdue("b", 7)).as("seen for the first time").isFalse();

    assertThat(freshness.isOverdue("a", 8)).as("a new report").isFalse();
  }

  @Test
  void sendersThatAreGoneAreForgotten() {
    freshness.isOverdue("a", 7);
    freshness.retain(Set.of("b"));
    nanos.addAndGet(2 * Freshness.OVERDUE_NANOS);
    assertThat(freshness.isOverdue("a", 7)).isFalse();
  }
}
