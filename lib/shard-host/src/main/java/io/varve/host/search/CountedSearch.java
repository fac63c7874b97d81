package io.varve.host.search;

import io.varve.engine.SearchMeters;
import io.varve.engine.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Counts the parts of one search on its copy: among all searches, and among those of its groups.
 */
final class CountedSearch {

  private final List<SearchMeters.Phases> phases = new ArrayList<>();

  CountedSearch(SearchMeters meters, List<String> groups) {
    phases.add(meters.all());
    phases.addAll(meters.groups(groups));
  }

  /** For the search's own course: a search in slices counts as a concurrent query, too. */
  Runnable sliced(int slices) {
    long began = System.nanoTime();
    for (SearchMeters.Phases of : phases) {
      of.slices.add(slices);
      var _ = of.concurrentQuery.begin();
    }
    return () -> phases.forEach(of -> of.concurrentQuery.end(began));
  }

  <T> T query(Supplier<T> work) {
    return counted(of -> of.query, work);
  }

  <T> T fetch(Supplier<T> work) {
    return counted(of -> of.fetch, work);
  }

  private <T> T counted(Function<SearchMeters.Phases, Tally> part, Supplier<T> work) {
    List<Tally> tallies = phases.stream().map(part).toList();
    long began = System.nanoTime();
    tallies.forEach(Tally::begin);
    try {
      return work.get();
    } finally {
      tallies.forEach(tally -> tally.end(began));
    }
  }
}
