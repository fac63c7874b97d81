package io.varve.standalone.cluster;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Waits for a cluster that may not answer yet: a call that fails is repeated. Unlike {@code
 * ignoreExceptions()}, an assertion that fails inside {@code until} ends the wait.
 */
final class Await {

  private Await() {}

  static ConditionFactory within(Duration limit) {
    return Awaitility.await()
        .atMost(limit)
        .ignoreExceptionsMatching(failure -> !(failure instanceof AssertionError));
  }
}
