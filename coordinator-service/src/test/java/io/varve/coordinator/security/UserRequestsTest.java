package io.varve.coordinator.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.rpc.ApiException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UserRequestsTest {

  private final UserRequests requests = new UserRequests(2);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final AtomicInteger run = new AtomicInteger();

  UserRequestsTest() {
    requests.register(meters);
  }

  private void runOne(String user) throws InterruptedException {
    requests.run(user, run::incrementAndGet);
  }

  private double refused() {
    return meters.get("varve.security.requests.refused").functionCounter().count();
  }

  @Test
  void oneMoreThanTheLimitIsRefusedAndNotRun() throws InterruptedException {
    requests.run(
        "ann",
        () ->
            requests.run(
                "ann",
                () ->
                    assertThatThrownBy(() -> runOne("ann"))
                        .isInstanceOfSatisfying(
                            ApiException.class,
                            e -> assertThat(e.error().status()).isEqualTo(429))));

    assertThat(run).hasValue(0);
    assertThat(refused()).isEqualTo(1);
  }

  @Test
  void othersAreNotLimitedByIt() throws InterruptedException {
    requests.run("ann", () -> requests.run("ann", () -> runOne("bob")));

    assertThat(run).hasValue(1);
    assertThat(refused()).isZero();
  }

  @Test
  void requestsThatHaveEndedDoNotCountHoweverTheyEnded() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      assertThatThrownBy(() ->
              requests.run(
                  "ann",
                  () -> {
                    throw new IllegalStateException("failed");
                  }))
          .hasMessage("failed");
      runOne("ann");
    }

    assertThat(run).hasValue(10);
  }
}
