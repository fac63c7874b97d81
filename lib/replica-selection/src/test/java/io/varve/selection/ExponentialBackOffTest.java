package io.varve.selection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExponentialBackOffTest {

  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private final FailureBackOff backOff = new FailureBackOff();

  /**
   * Fails repeatedly, each time as soon as the suspension ends. Returns the time of the last
   * failure.
   */
  private long failsInARow(int failures) {
    long now = 0;
    for (int i = 0; i < failures; i++) {
      now += backOff.remainingNanos(now);
      backOff.failed(now, now);
    }
    return now;
  }

  @Test
  void isTrustedAtFirst() {
    assertThat(backOff.state(0)).isEqualTo(FailureBackOff.State.TRUSTED);
    assertThat(backOff.remembers(0)).isFalse();
    assertThat(backOff.remainingNanos(0)).isZero();
  }

  @Test
  void restsTwiceAsLongWithEachFailureUpToALimit() {
    long[] restsMillis = {100, 200, 400, 800, 1_600, 3_200, 3_200};
    long now = 0;
    for (long millis : restsMillis) {
      backOff.failed(now, now);
      assertThat(backOff.remainingNanos(now)).isEqualTo(millis * MILLI);
      assertThat(backOff.state(now + millis * MILLI - 1)).isEqualTo(FailureBackOff.State.SUSPENDED);
      now += millis * MILLI;
      assertThat(backOff.state(now)).isEqualTo(FailureBackOff.State.ON_TRIAL);
      assertThat(backOff.remainingNanos(now)).isZero();
    }
  }

  @Test
  void failuresThatWereUnderWayTogetherCountOnce() {
    backOff.failed(0, 10 * MILLI);
    backOff.failed(10 * MILLI - 1, 50 * MILLI);

    assertThat(backOff.remainingNanos(10 * MILLI)).isEqualTo(100 * MILLI);

    backOff.failed(10 * MILLI, 60 * MILLI);
    assertThat(backOff.remainingNanos(60 * MILLI)).isEqualTo(200 * MILLI);
  }

  @Test
  void aRefusalRestsWithoutCounting() {
    backOff.refused(0, 0);
    assertThat(backOff.remainingNanos(0)).isEqualTo(100 * MILLI);
    assertThat(backOff.remembers(0)).isFalse();

    backOff.refused(-1, 50 * MILLI);
    assertThat(backOff.remainingNanos(50 * MILLI)).isEqualTo(50 * MILLI);

    backOff.refused(60 * MILLI, 60 * MILLI);
    assertThat(backOff.remainingNanos(60 * MILLI)).isEqualTo(100 * MILLI);
  }

  @Test
  void aSuccessOnTrialRestoresTrust() {
    backOff.failed(0, 0);

    backOff.succeeded(-1, 150 * MILLI);
    assertThat(backOff.state(150 * MILLI)).isEqualTo(FailureBackOff.State.ON_TRIAL);

    backOff.succeeded(120 * MILLI, 150 * MILLI);
    assertThat(backOff.state(150 * MILLI)).isEqualTo(FailureBackOff.State.TRUSTED);
    assertThat(backOff.remembers(150 * MILLI)).isTrue();
  }

  @Test
  void afterThreeFailuresASecondOfSuccessesIsNeeded() {
    long now = failsInARow(3) + 400 * MILLI;

    backOff.succeeded(now, now);
    assertThat(backOff.state(now)).isEqualTo(FailureBackOff.State.ON_TRIAL);
    backOff.succeeded(now, now + SECOND - 1);
    assertThat(backOff.state(now + SECOND - 1)).isEqualTo(FailureBackOff.State.ON_TRIAL);

    backOff.succeeded(now, now + SECOND);
    assertThat(backOff.state(now + SECOND)).isEqualTo(FailureBackOff.State.TRUSTED);
  }

  @Test
  void aFailureEndsTheSecondOfSuccesses() {
    long now = failsInARow(3) + 400 * MILLI;
    backOff.succeeded(now, now);

    backOff.failed(now + 500 * MILLI, now + 500 * MILLI);
    backOff.succeeded(now + SECOND, now + SECOND);

    assertThat(backOff.state(now + 2 * SECOND)).isEqualTo(FailureBackOff.State.ON_TRIAL);
  }

  @Test
  void forgetsOneFailureEachFiveSeconds() {
    long last = failsInARow(2);

    assertThat(backOff.remembers(last + 10 * SECOND - 1)).isTrue();
    assertThat(backOff.remembers(last + 10 * SECOND)).isFalse();
    assertThat(backOff.remembers(last + 60 * SECOND)).isFalse();

    backOff.failed(last + 5 * SECOND, last + 5 * SECOND);
    assertThat(backOff.remainingNanos(last + 5 * SECOND)).isEqualTo(200 * MILLI);
  }

  @Test
  void aSuccessOfATrustedNodeChangesNothing() {
    backOff.succeeded(0, 0);

    assertThat(backOff.state(0)).isEqualTo(FailureBackOff.State.TRUSTED);
  }
}
