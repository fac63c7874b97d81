package io.varve.client;

import java.time.Duration;

/**
 * The time that a user gives, as the HTTP client takes it: it knows no zero and no endless time.
 */
public final class Timeouts {

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration ENDLESS = Duration.ofDays(1);

  private Timeouts() {}

  public static Duration ofUser(Duration timeout) {
    if (timeout.isNegative()) {
      return ENDLESS;
    }
    return timeout.isZero() ? SHORTEST : timeout;
  }
}
