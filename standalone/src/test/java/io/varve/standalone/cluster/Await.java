package io.varve.standalone.cluster;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Waits for a cluster that may not answer yet: failed calls are retried. A failed assertion inside
 * {@code until} ends the wait; inside {@code untilAsserted} it is the condition.
 */
final class Await {

  private Await() {}

  static ConditionFactory within(Duration limit) {
    return Awaitility.await().atMost(limit).ignoreExceptionsInstanceOf(Exception.class);
  }
}
