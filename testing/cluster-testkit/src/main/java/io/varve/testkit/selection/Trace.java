package io.varve.testkit.selection;

import io.varve.selection.Purpose;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A record of all events of a run, which can be evaluated for any time window. Times in
 * milliseconds.
 */
public final class Trace {

  private record Search(long startMicros, long endMicros, boolean failed) {}

  private record Sending(long atMillis, String node, Purpose purpose) {}

  private final List<Search> searches = new ArrayList<>();
  private final List<Sending> sendings = new ArrayList<>();
  private final List<Long> probes = new ArrayList<>();
  private final List<Long> duplicates = new ArrayList<>();
  private final List<Long> failedFirsts = new ArrayList<>();
  private final Set<Long> answered = new HashSet<>();
  private long begun;

  void begun() {
    begun++;
  }

  long begunSearches() {
    return begun;
  }

  void finished(long id, long startMicros, long endMicros, boolean failed) {
    if (!answered.add(id)) {
      throw new IllegalStateException("search " + id + " was answered twice");
    }
    searches.add(new Search(startMicros, endMicros, failed));
  }

  void sent(long atMillis, String node, Purpose purpose) {
    sendings.add(new Sending(atMillis, node, purpose));
  }

  void probed(long atMillis) {
    probes.add(atMillis);
  }

  void duplicated(long atMillis) {
    duplicates.add(atMillis);
  }

  void firstAttemptFailed(long atMillis) {
    failedFirsts.add(atMillis);
  }

  /** Latencies in milliseconds of the searches that started in the window. */
  double[] latenciesOfBegun(long fromMillis, long untilMillis) {
    return searches.stream()
        .filter(s -> s.startMicros >= fromMillis * 1000 && s.startMicros < untilMillis * 1000)
        .mapToDouble(s -> (s.endMicros - s.startMicros) / 1000.0)
        .toArray();
  }

  /** Latencies in milliseconds of the searches that ended in the window. */
  double[] latenciesOfEnded(long fromMillis, long untilMillis) {
    return searches.stream()
        .filter(s -> s.endMicros >= fromMillis * 1000 && s.endMicros < untilMillis * 1000)
        .mapToDouble(s -> (s.endMicros - s.startMicros) / 1000.0)
        .toArray();
  }

  long failedSearches() {
    return searches.stream().filter(Search::failed).count();
  }

  long answeredSearches() {
    return searches.size();
  }

  long sent(Purpose purpose, long fromMillis, long untilMillis) {
    return sendings.stream()
        .filter(s -> s.purpose == purpose && in(s.atMillis, fromMillis, untilMillis))
        .count();
  }

  /** Requests to a node, of any purpose, as a share of all requests. */
  double share(String node, long fromMillis, long untilMillis) {
    long all = 0;
    long there = 0;
    for (Sending sending : sendings) {
      if (in(sending.atMillis, fromMillis, untilMillis)) {
        all++;
        there += sending.node.equals(node) ? 1 : 0;
      }
    }
    return all == 0 ? 0 : (double) there / all;
  }

  long probes(long fromMillis, long untilMillis) {
    return count(probes, fromMillis, untilMillis);
  }

  long duplicates(long fromMillis, long untilMillis) {
    return count(duplicates, fromMillis, untilMillis);
  }

  long failedFirstAttempts(long fromMillis, long untilMillis) {
    return count(failedFirsts, fromMillis, untilMillis);
  }

  private static long count(List<Long> moments, long fromMillis, long untilMillis) {
    return moments.stream().filter(at -> in(at, fromMillis, untilMillis)).count();
  }

  private static boolean in(long at, long fromMillis, long untilMillis) {
    return at >= fromMillis && at < untilMillis;
  }
}
