package io.varve.coordinator.rest.byquery;

import static io.varve.rest.JsonObjects.object;

import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.task.Task;
import io.varve.process.Parallel;
import io.varve.rpc.RereplicationPage;
import io.varve.rpc.RereplicationPosition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One re-replication job: processes all shards of an index, as many concurrently as the request has
 * slices. A shard whose primary no longer answers does not stop the others.
 */
final class RereplicationRun {

  private final ClusterAccess cluster;
  private final Parallel parallel;
  private final ClaimedShards claimed;
  private final List<ShardWalk> shards;
  private final RereplicateRequest request;
  private final List<Throttle> throttles = new ArrayList<>();
  private final RereplicationRate rate;
  private final long total;

  RereplicationRun(
      ClusterAccess cluster, Parallel parallel, ClaimedShards claimed, RereplicateRequest request) {
    this.cluster = cluster;
    this.parallel = parallel;
    this.claimed = claimed;
    this.shards = claimed.shards();
    this.request = request;
    this.rate = new RereplicationRate(cluster.clock());
    this.total = claimed.left();
    RereplicateRequest.Pace pace = request.pace();
    int slices =
        pace.slices() == ByQuery.Options.AUTO
            ? shards.size()
            : Math.min(pace.slices(), shards.size());
    for (int i = 0; i < slices; i++) {
      throttles.add(new Throttle(pace.perSecond() / slices, cluster.clock()));
    }
  }

  Map<String, Object> run(Task task) throws InterruptedException {
    long beganNanos = cluster.clock().nanos();
    task.shows(this::status);
    task.goesAt(
        perSecond -> throttles.forEach(throttle -> throttle.change(perSecond / throttles.size())));
    throttles.forEach(throttle -> task.onCancel(throttle::end));
    try {
      var _ = parallel.map(slices(), slice -> run(slice, task));
    } finally {
      claimed.release();
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("took", (cluster.clock().nanos() - beganNanos) / 1_000_000);
    answer.put("timed_out", false);
    answer.putAll(status());
    if (task.cancelled()) {
      answer.put("canceled", "by user request");
    }
    answer.put("failures", claimed.failures());
    return answer;
  }

  private record Slice(List<ShardWalk> shards, Throttle throttle) {}

  private List<Slice> slices() {
    List<Slice> slices = new ArrayList<>();
    for (int i = 0; i < throttles.size(); i++) {
      List<ShardWalk> own = new ArrayList<>();
      for (int s = i; s < shards.size(); s += throttles.size()) {
        own.add(shards.get(s));
      }
      slices.add(new Slice(own, throttles.get(i)));
    }
    return slices;
  }

  private static Slice run(Slice slice, Task task) throws InterruptedException {
    for (ShardWalk walk : slice.shards()) {
      walk.run(task, slice.throttle());
    }
    return slice;
  }

  private Map<String, Object> status() {
    RereplicationPage.Outcomes sum = claimed.outcomes();
    long left = claimed.left();
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("method", request.method().text());
    status.put("total", total);
    status.putAll(proofs(sum));
    if (request.records().operations().writes()) {
      RereplicationPage.Writes writes = sum.writes();
      status.put("updated", writes.updated());
      status.put("noops", writes.noops());
      status.put("version_conflicts", writes.conflicts());
      status.put("left", left);
    } else {
      status.put("unreplicated_records", left);
    }
    if (request.records().verify()) {
      RereplicationPage.Compared compared = claimed.compared();
      status.put(
          "compared",
          object(
              "ranges",
              compared.ranges(),
              "differing_ranges",
              compared.differing(),
              "files",
              compared.files()));
    }
    RereplicationRate.Now now = rate.at(sum.checked());
    status.put("rate", now.json());
    status.put("eta_millis", now.etaMillis(left));
    status.put("throttled_millis", throttledMillis());
    status.put("requests_per_second", perSecond());
    status.put("shards", shards.stream().map(ShardWalk::json).toList());
    status.put("resume", token().encode());
    return status;
  }

  /** The numbers that all methods have. */
  static Map<String, Object> proofs(RereplicationPage.Outcomes outcomes) {
    RereplicationPage.Proofs proofs = outcomes.proofs();
    return object(
        "checked",
        outcomes.checked(),
        "re_replicated",
        proofs.success(),
        "errors",
        proofs.error(),
        "timeouts",
        proofs.timeout(),
        "newer",
        proofs.newer());
  }

  private long throttledMillis() {
    return claimed.heldMillis() + throttles.stream().mapToLong(Throttle::waitedMillis).sum();
  }

  private float perSecond() {
    float sum = 0;
    for (Throttle throttle : throttles) {
      sum += throttle.perSecond();
    }
    return Float.isInfinite(sum) ? -1 : sum;
  }

  private ResumeToken token() {
    Map<String, RereplicationPosition> at = new LinkedHashMap<>();
    for (ShardWalk walk : shards) {
      RereplicationPosition position = walk.position();
      if (!position.equals(RereplicationPosition.START)) {
        at.put(Integer.toString(walk.shard().number()), position);
      }
    }
    return new ResumeToken(claimed.index().uuid(), request.method().text(), at);
  }
}
