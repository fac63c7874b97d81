package io.varve.engine.search.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.memory.ParentBreaker;
import io.varve.rpc.ApiException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MemoryBreakerTest {

  private final MemoryBreaker breaker = new MemoryBreaker(() -> 1_000_000, () -> 2_000_000);

  @Test
  void rejectsARequestBeyondTheLimitAndReportsItsSize() {
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
  void closingAnAccountReturnsAllItsMemory() {
    try (MemoryAccount account = breaker.open()) {
      account.charge(500_000);
      assertThat(breaker.usedBytes()).isGreaterThanOrEqualTo(500_000);
    }
    assertThat(breaker.usedBytes()).isZero();
  }

  @Test
  void accountsShareTheLimit() {
    try (MemoryAccount first = breaker.open();
        MemoryAccount second = breaker.open()) {
      first.charge(700_000);
      assertThatThrownBy(() -> second.charge(700_000)).isInstanceOf(ApiException.class);
    }
    assertThat(breaker.usedBytes()).isZero();
  }

  @Test
  void estimatesAreMultipliedByTheCurrentOverhead() {
    AtomicReference<Double> overhead = new AtomicReference<>(2.0);
    ParentBreaker parent = ParentBreaker.ofAccounted(() -> Long.MAX_VALUE);
    MemoryBreaker fields =
        MemoryBreaker.ofFields(new MemoryBreaker.Limit(() -> 1_000, overhead::get), parent);

    try (MemoryAccount account = fields.open()) {
      assertThatThrownBy(() -> account.charge(501))
          .isInstanceOfSatisfying(
              ApiException.class,
              e -> assertThat(e.error().fields()).containsEntry("bytes_wanted", 1_002L));
      account.charge(400);
      assertThat(used(parent.stats(), "parent")).isEqualTo(800L);
      assertThat(used(fields.stats(), "fielddata")).isEqualTo(400L);
      overhead.set(1.0);
      account.charge(200);
      assertThat(used(parent.stats(), "parent")).isEqualTo(1_000L);
    }

    assertThat(used(parent.stats(), "parent")).isEqualTo(0L);
    assertThat(fields.usedBytes()).isZero();
  }

  private static Object used(Map<String, Object> stats, String breaker) {
    return ((Map<?, ?>) stats.get(breaker)).get("estimated_size_in_bytes");
  }
}
