package io.varve.host.search;

import io.varve.engine.PhaseCounter;
import io.varve.engine.SearchMeters;
import io.varve.engine.search.FoundPage;
import io.varve.engine.slowlog.SlowLog;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Counts the phases of one search on its copy, in the totals and in those of its groups, and logs
 * slow phases.
 */
final class CountedSearch {

  private final List<SearchMeters.Phases> phases = new ArrayList<>();

  private final SearchSlowLog slowLog;
  private final String shard;
  private final ShardSearchRequest request;

  /**
   * @param shard the name of the shard in slow logs
   */
  CountedSearch(
      SearchMeters meters, SearchSlowLog slowLog, String shard, ShardSearchRequest request) {
    this.slowLog = slowLog;
    this.shard = shard;
    this.request = request;
    phases.add(meters.all());
    phases.addAll(meters.groups(request.search().scope().groups()));
  }

  /** Counts a search in slices also as a concurrent query; the returned task ends it. */
  Runnable sliced(int slices) {
    long began = System.nanoTime();
    for (SearchMeters.Phases of : phases) {
      of.slices.add(slices);
      var _ = of.concurrentQuery.begin();
    }
    return () -> phases.forEach(of -> of.concurrentQuery.end(began));
  }

  FoundPage query(Supplier<FoundPage> work) {
    return counted(of -> of.query, slowLog.query(), work, page -> page.read(0));
  }

  ShardSearchResult fetch(Supplier<ShardSearchResult> work) {
    return counted(of -> of.fetch, slowLog.fetch(), work, Function.identity());
  }

  private <T> T counted(
      Function<SearchMeters.Phases, PhaseCounter> part,
      SlowLog slow,
      Supplier<T> work,
      Function<T, ShardSearchResult> result) {
    List<PhaseCounter> tallies = phases.stream().map(part).toList();
    long began = System.nanoTime();
    tallies.forEach(PhaseCounter::begin);
    try {
      T done = work.get();
      slow.took(
          System.nanoTime() - began,
          shard,
          () -> SearchSlowLog.details(request, result.apply(done)));
      return done;
    } finally {
      tallies.forEach(tally -> tally.end(began));
    }
  }
}
