package io.varve.http;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts, by reason, the connections that the server refused or closed because of their clients.
 */
final class ConnectionCounts {

  private final LongAdder refused = new LongAdder();
  private final Map<Verdict, LongAdder> ended = new EnumMap<>(Verdict.class);

  ConnectionCounts() {
    for (Verdict verdict : Verdict.values()) {
      ended.put(verdict, new LongAdder());
    }
  }

  void refuse() {
    refused.increment();
  }

  void end(Verdict verdict) {
    adder(verdict).increment();
  }

  long refused() {
    return refused.sum();
  }

  long ended(Verdict verdict) {
    return adder(verdict).sum();
  }

  private LongAdder adder(Verdict verdict) {
    LongAdder adder = ended.get(verdict);
    if (adder == null) {
      throw new IllegalStateException("no counter of " + verdict);
    }
    return adder;
  }

  long total() {
    return refused() + ended.values().stream().mapToLong(LongAdder::sum).sum();
  }

  @Override
  public String toString() {
    return "refused "
        + refused()
        + ", ended idle "
        + ended(Verdict.IDLE)
        + ", in headers "
        + ended(Verdict.HEADERS)
        + ", in bodies "
        + ended(Verdict.BODY)
        + ", in answers "
        + ended(Verdict.ANSWER);
  }
}
