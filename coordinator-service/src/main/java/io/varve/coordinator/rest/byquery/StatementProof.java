package io.varve.coordinator.rest.byquery;

import io.varve.coordinator.rest.task.Task;
import io.varve.process.Parallel;
import io.varve.process.Ticker;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.RereplicationPage;
import io.varve.search.hits.IndexHit;
import io.varve.search.hits.ShardHit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Proves the hits of a statement before they are written: sends requests to the primaries of their
 * shards, concurrently for all hits of a page. Hits that are not proven are not written.
 */
final class StatementProof implements ByQuery.Before {

  /** A claim of a shard without hits is renewed long before it expires. */
  private static final long RENEW_NANOS = 60_000_000_000L;

  private final ClaimedShards claimed;
  private final boolean writes;
  private final Parallel parallel;
  private final Ticker clock;
  private final RereplicationRate rate;
  private long renewedNanos;

  /**
   * @param writes whether hits are written after they are proven
   */
  StatementProof(ClaimedShards claimed, boolean writes, Parallel parallel, Ticker clock) {
    this.claimed = claimed;
    this.writes = writes;
    this.parallel = parallel;
    this.clock = clock;
    this.rate = new RereplicationRate(clock);
    this.renewedNanos = clock.nanos();
  }

  @Override
  public List<IndexHit> writes(List<IndexHit> hits, Task task, Throttle throttle)
      throws InterruptedException {
    Map<Integer, List<Version>> byShard = new TreeMap<>();
    for (IndexHit hit : hits) {
      byShard.computeIfAbsent(hit.shard(), _ -> new ArrayList<>()).add(version(hit.hit()));
    }
    Set<Version> proven = new HashSet<>();
    parallel
        .map(
            List.copyOf(byShard.entrySet()),
            shard -> claimed.shards().get(shard.getKey()).prove(shard.getValue(), task, throttle))
        .forEach(proven::addAll);
    if (isDue()) {
      renew();
    }
    return writes
        ? hits.stream().filter(hit -> proven.contains(version(hit.hit()))).toList()
        : List.of();
  }

  private static Version version(ShardHit hit) {
    return Version.of(hit.id(), hit.stamp().seqNo(), hit.stamp().primaryTerm());
  }

  private synchronized boolean isDue() {
    long now = clock.nanos();
    if (now - renewedNanos < RENEW_NANOS) {
      return false;
    }
    renewedNanos = now;
    return true;
  }

  private void renew() throws InterruptedException {
    for (ShardWalk shard : claimed.shards()) {
      shard.renew();
    }
  }

  @Override
  public Map<String, Object> json() {
    RereplicationPage.Outcomes outcomes = claimed.outcomes();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("method", RereplicateRequest.Method.STATEMENT.text());
    json.putAll(RereplicationRun.proofs(outcomes));
    json.put("rate", rate.at(outcomes.checked()).json());
    return json;
  }
}
