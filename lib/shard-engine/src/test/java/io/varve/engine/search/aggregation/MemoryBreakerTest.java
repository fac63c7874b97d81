package io.varve.engine.search.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemoryBreakerTest {

  private final MemoryBreaker breaker = new MemoryBreaker(() -> 1_000_000, () -> 2_000_000);

  @Test
  void refusesWhatIsTooMuchAndTellsHowMuch() {
    try (MemoryAccount account = breaker.open()) {
      account.charge(900_000);
      assertThatThrownBy(() -> account.charge(200_000))
          .isInstanceOfSatisfying(
              ApiException.class,
              e -> {
                assertThat(e.error().status()).isEqualTo(429);
                assertThat(e.error().type()).isEqualTo("circuit_breaking_exception");
                assertThat(e.error().fields()).containsEntry("bytes_limit", 1_000_000L);
              });
    }
    assertThat(((Map<?, ?>) breaker.stats().get("request")).get("tripped")).isEqualTo(1L);
  }

  @Test
  void aClosedAccountHoldsNothing() {
    try (MemoryAccount account = breaker.open()) {
      account.charge(500_000);
      assertThat(breaker.usedBytes()).isGreaterThanOrEqualTo(500_000);
    }
    assertThat(breaker.usedBytes()).isZero();
  }

  @Test
  void accountsShareTheWhole() {
    try (MemoryAccount first = breaker.open();
        MemoryAccount second = breaker.open()) {
      first.charge(700_000);
      assertThatThrownBy(() -> second.charge(700_000)).isInstanceOf(ApiException.class);
    }
    assertThat(breaker.usedBytes()).isZero();
  }
}
