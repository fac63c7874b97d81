package io.varve.coordinator.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.http.security.SecurityProperties;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FailedLoginsTest {

  private static final int MAX_PAIRS = 100;

  private final FailedLogins logins =
      new FailedLogins(new SecurityProperties.FailedLogins(2, Duration.ofDays(1), MAX_PAIRS));

  private void fail(String user) {
    logins.failed(user, "127.0.0.1");
  }

  private boolean mayTry(String user) {
    return logins.mayTry(user, "127.0.0.1");
  }

  @Test
  void aPairIsRefusedAfterItsFailuresAndNoOtherIs() {
    fail("ann");
    assertThat(mayTry("ann")).isTrue();
    fail("ann");

    assertThat(mayTry("ann")).isFalse();
    assertThat(mayTry("bob")).isTrue();
    assertThat(logins.mayTry("ann", "127.0.0.2")).isTrue();
  }

  @Test
  void thePairThatWasNotUsedForTheLongestTimeIsForgotten() {
    fail("ann");
    fail("ann");
    fail("bob");
    fail("bob");
    for (int i = 0; i < MAX_PAIRS - 1; i++) {
      assertThat(mayTry("ann")).isFalse();
      fail("user-" + i);
    }

    assertThat(mayTry("ann")).isFalse();
    assertThat(mayTry("bob")).isTrue();
  }
}
