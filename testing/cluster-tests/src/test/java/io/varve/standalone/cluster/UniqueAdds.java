package io.varve.standalone.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks a set to which each element was added at most once, and a counter whose increments are
 * such elements. Pure.
 *
 * <pre>
 *   outcome of the add   the element at the end
 *   DONE                 is in the set
 *   FAILED               is not in the set
 *   UNKNOWN              either
 * </pre>
 *
 * A counter is at least the number of DONE and at most that of DONE and UNKNOWN.
 */
final class UniqueAdds {

  /** The outcome of one add, as the client was told. */
  enum Outcome {
    DONE,
    FAILED,
    UNKNOWN
  }

  private final Map<String, Outcome> adds = new TreeMap<>();

  synchronized void add(String element, Outcome outcome) {
    if (adds.put(element, outcome) != null) {
      throw new IllegalArgumentException(element + " was added before");
    }
  }

  synchronized Set<String> elements() {
    return Set.copyOf(adds.keySet());
  }

  synchronized long count(Outcome outcome) {
    return adds.values().stream().filter(one -> one == outcome).count();
  }

  /** Compares the set that a reader finds at the end with the outcomes of the adds. */
  synchronized List<String> violations(Set<String> present) {
    List<String> violations = new ArrayList<>();
    adds.forEach((element, outcome) -> {
      if (outcome == Outcome.DONE && !present.contains(element)) {
        violations.add(element + " was acked and is missing");
      } else if (outcome == Outcome.FAILED && present.contains(element)) {
        violations.add(element + " failed and is there");
      }
    });
    present.stream()
        .filter(element -> !adds.containsKey(element))
        .forEach(element -> violations.add(element + " was never added"));
    return violations;
  }

  /** Compares the counter that a reader finds at the end with the outcomes of the adds. */
  synchronized List<String> violations(long counter) {
    long least = count(Outcome.DONE);
    long most = least + count(Outcome.UNKNOWN);
    return counter >= least && counter <= most
        ? List.of()
        : List.of("the counter is %d, not from %d to %d".formatted(counter, least, most));
  }

  @Override
  public synchronized String toString() {
    return "%d done, %d failed, %d unknown"
        .formatted(count(Outcome.DONE), count(Outcome.FAILED), count(Outcome.UNKNOWN));
  }
}
