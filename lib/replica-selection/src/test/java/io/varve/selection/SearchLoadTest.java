package io.varve.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchLoadTest {

  private static final long MILLI = 1_000_000;

  private final ManualClock clock = new ManualClock();
  private final SearchLoad load = new SearchLoad(2, clock);

  private void run(long expectedMillis, long tookMillis) {
    SearchLoad.Task task = load.submitted(expectedMillis * MILLI);
    task.started();
    clock.advanceMillis(tookMillis);
    task.finished();
  }

  @ParameterizedTest(name = "{0} tasks of 100 ms report {1} ms")
  @CsvSource({"1, 10.0", "2, 19.0", "5, 41.0", "10, 65.1", "22, 90.2"})
  void theReportedServiceTimeGrowsFromZero(int tasks, double millis) {
    for (int i = 0; i < tasks; i++) {
      run(0, 100);
    }
    assertThat(load.report().serviceTimeEwmaNanos() / 1e6).isCloseTo(millis, within(0.05));
  }

  @Test
  void aStallCountsAsTwiceTheEstimateAtMost() {
    RobustMean mean = new RobustMean();
    for (int i = 0; i < 100; i++) {
      mean.add(100, 10L * i * MILLI);
    }
    mean.add(1000, 1000 * MILLI);
    assertThat(mean.mean()).isCloseTo(105, within(1e-9));
    mean.add(50, 1010 * MILLI);
    assertThat(mean.mean()).isCloseTo(102.25, within(1e-9));
  }

  @Test
  void anEstimateFollowsTimeNotTheNumberOfSamples() {
    RobustMean rare = new RobustMean();
    rare.add(4, 0);
    for (int i = 1; i <= 8; i++) {
      rare.add(1, 1000L * i * MILLI);
    }
    assertThat(rare.mean()).isLessThan(1.4);
  }

  @Test
  void slownessIsMeasuredByWhatTheWorkShouldTake() {
    run(1000, 1000);
    run(10, 10);
    run(1000, 1000);
    assertThat(load.report().slowness().factor()).isCloseTo(1, within(1e-9));
    assertThat(load.report().slowness().trust()).isEqualTo(1);
  }

  @Test
  void cancelledWorkRaisesTheEstimateAndNeverLowersIt() {
    run(100, 100);
    cancelAfter(50);
    assertThat(load.report().slowness().factor()).isEqualTo(1);
    cancelAfter(400);
    assertThat(load.report().slowness().factor()).isGreaterThan(1);
  }

  private void cancelAfter(long millis) {
    SearchLoad.Task task = load.submitted(100 * MILLI);
    task.started();
    clock.advanceMillis(millis);
    task.cancelled();
  }

  @Test
  void workThatFailedSaysNothingAboutTime() {
    SearchLoad.Task task = load.submitted(MILLI);
    task.started();
    clock.advanceMillis(500);
    task.failed();
    assertThat(load.report().serviceTimeEwmaNanos()).isZero();
    assertThat(load.report().slowness().known()).isFalse();
  }

  @Test
  void countsWhatWaitsAndWhatRunsWhateverTheEnd() {
    SearchLoad.Task finished = load.submitted(0);
    SearchLoad.Task failed = load.submitted(0);
    SearchLoad.Task cancelledInQueue = load.submitted(0);
    finished.started();
    failed.started();
    assertThat(load.report().queueSize()).isEqualTo(1);
    assertThat(load.report().running()).isEqualTo(2);
    assertThat(load.report().inFlight()).isEqualTo(3);
    cancelledInQueue.cancelled();
    finished.finished();
    finished.cancelled();
    failed.failed();
    failed.finished();
    assertThat(load.report().inFlight()).isZero();
  }

  @Test
  void trustIsEarnedByWorkAndLostByIdling() {
    for (int i = 0; i < 20; i++) {
      run(10, 10);
    }
    assertThat(load.report().slowness().trust()).isEqualTo(20);
    clock.advanceMillis(300);
    assertThat(load.report().slowness().ageNanos()).isEqualTo(300 * MILLI);
    run(10, 10);
    assertThat(load.report().slowness().trust()).isEqualTo(1);
  }

  @Test
  void refusesANodeWithoutWorkers() {
    assertThatThrownBy(() -> new SearchLoad(0, clock))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("workers is 0");
  }
}
