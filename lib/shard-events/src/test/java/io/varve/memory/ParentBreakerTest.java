package io.varve.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class ParentBreakerTest {

  private static final int MB = 1 << 20;

  private final AtomicLong used = new AtomicLong(400);
  private final AtomicBoolean real = new AtomicBoolean(true);
  private final HeapWatch heap =
      new HeapWatch(
          new Heap() {
            @Override
            public long usedBytes() {
              return used.get();
            }

            @Override
            public void collect() {
              // The whole heap is live.
            }
          },
          System::nanoTime);
  private final ParentBreaker breaker = new ParentBreaker(() -> 1_000, real::get, heap);

  @Test
  void refusesWhatTheHeapHasNoRoomFor() {
    breaker.take(600, "<reduce>");
    used.set(1_000);
    breaker.check("<http_request>");
    used.set(1_001);
    assertThatThrownBy(() -> breaker.check("<http_request>"))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().status()).isEqualTo(429);
              assertThat(e.error().type()).isEqualTo("circuit_breaking_exception");
              assertThat(e.error().reason())
                  .startsWith("[parent] Data too large, data for [<http_request>] would be [1001");
              assertThat(e.error().fields())
                  .containsEntry("bytes_wanted", 1_001L)
                  .containsEntry("bytes_limit", 1_000L)
                  .containsEntry("durability", "TRANSIENT");
            });
    assertThat(breaker.stats().get("parent"))
        .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
        .containsEntry("estimated_size_in_bytes", 1_001L)
        .containsEntry("tripped", 1L);
  }

  @Test
  void comparesWhatIsAccountedForWhereTheHeapDoesNotCount() {
    real.set(false);
    used.set(5_000);
    breaker.take(900, "aggregations");
    assertThatThrownBy(() -> breaker.take(101, "aggregations")).isInstanceOf(ApiException.class);
    breaker.giveBack(500);
    breaker.take(101, "aggregations");
    assertThat(breaker.stats().get("parent"))
        .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
        .containsEntry("estimated_size_in_bytes", 501L);
  }

  @Test
  void aRefusedChargeIsNotAccountedFor() {
    ParentBreaker accounted = ParentBreaker.ofAccounted(() -> 100);
    assertThatThrownBy(() -> accounted.take(101, "x")).isInstanceOf(ApiException.class);
    accounted.take(100, "x");
  }

  @Test
  void anAccountGivesBackWhatWasTakenOfItWhenItIsClosed() {
    ParentBreaker accounted = ParentBreaker.ofAccounted(() -> 100);
    ParentBreaker.Account account = accounted.open("<search_answer>");
    assertThat(account.apply(60)).hasSize(60);
    assertThatThrownBy(() -> account.apply(50)).isInstanceOf(ApiException.class);
    var _ = account.apply(40);

    account.close();
    account.close();

    accounted.check(100, "<search_answer>");
    assertThatThrownBy(() -> accounted.check(101, "<search_answer>"))
        .isInstanceOf(ApiException.class);
    assertThatThrownBy(() -> account.apply(1)).isInstanceOf(IllegalStateException.class);
    assertThat(accounted.stats().get("parent"))
        .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
        .containsEntry("estimated_size_in_bytes", 0L);
  }

  @Test
  void isAskedForALargeObjectOnlyWhenTheOneBeforeItIsAllocated() throws Exception {
    ParentBreaker large = new ParentBreaker(() -> 100 * MB, real::get, heap);
    AtomicBoolean refused = new AtomicBoolean();
    Thread second =
        Thread.ofPlatform()
            .unstarted(() -> {
              try {
                large.newArray(60 * MB, "<second>");
              } catch (ApiException e) {
                refused.set(true);
              }
            });

    large.inTurn(
        60 * MB,
        () -> {
          large.check(60 * MB, "<first>");
          second.start();
          while (second.getState() != Thread.State.WAITING
              && second.getState() != Thread.State.TERMINATED) {
            Thread.onSpinWait();
          }
          used.set(60 * MB);
          return true;
        });
    second.join();

    assertThat(refused).isTrue();
  }

  @Test
  void workIsChargedOnlyWhileItRunsAlsoWhenItFails() {
    ParentBreaker accounted = ParentBreaker.ofAccounted(() -> 100);

    long during = accounted.charged(60, "<work>", () -> used(accounted));
    assertThatThrownBy(() ->
            accounted.charged(
                60,
                "<work>",
                () -> {
                  throw new IllegalStateException("failed");
                }))
        .isInstanceOf(IllegalStateException.class);

    assertThat(during).isEqualTo(60);
    assertThat(used(accounted)).isZero();
    assertThatThrownBy(() -> accounted.charged(101, "<work>", () -> 0))
        .isInstanceOf(ApiException.class);
  }

  private static long used(ParentBreaker accounted) {
    return (Long) ((Map<?, ?>) accounted.stats().get("parent")).get("estimated_size_in_bytes");
  }
}
