package io.varve.client;

import java.time.Duration;

/**
 * Converts timeouts of users to those of the HTTP client, which allows neither zero nor infinity.
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
