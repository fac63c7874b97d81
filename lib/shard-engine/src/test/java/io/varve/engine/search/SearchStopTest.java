package io.varve.engine.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import org.junit.jupiter.api.Test;

class SearchStopTest {

  /** The clock starts shortly before it overflows. */
  private long nanos = Long.MAX_VALUE - 1_000;

  private boolean cancelled;

  private SearchStop after(long millis) {
    return new SearchStop(millis, () -> cancelled, () -> nanos);
  }

  @Test
  void aSearchStopsAtItsTimeout() {
    SearchStop stop = after(5);

    nanos += 5_000_000;
    assertThat(stop.shouldExit()).isFalse();
    nanos++;
    assertThat(stop.timedOut()).isTrue();
    assertThatThrownBy(stop::check).isInstanceOf(SearchStop.StoppedException.class);
    stop.refuseCancelled();
  }

  @Test
  void aSearchWithoutATimeoutIsStoppedOnlyWhenItIsCancelled() {
    SearchStop stop = after(0);

    nanos += Long.MAX_VALUE;
    assertThat(stop.shouldExit()).isFalse();
    cancelled = true;
    assertThat(stop.shouldExit()).isTrue();
    assertThatThrownBy(stop::refuseCancelled).isInstanceOf(ApiException.class);
  }
}
