package io.varve.standalone.cluster;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Waits for a cluster that may not answer yet, and retries calls that fail. A failed assertion ends
 * the wait if it is inside {@code until}; inside {@code untilAsserted} it is retried.
 */
final class Await {

  private Await() {}

  static ConditionFactory within(Duration limit) {
    return Awaitility.await().atMost(limit).ignoreExceptionsInstanceOf(Exception.class);
  }
}
