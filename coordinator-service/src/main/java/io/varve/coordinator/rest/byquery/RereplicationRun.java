package io.varve.coordinator.rest.byquery;

import static io.varve.rest.JsonObjects.object;

import io.varve.client.ShardClient;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.task.Task;
import io.varve.process.Parallel;
import io.varve.rpc.ApiException;
import io.varve.rpc.RereplicationPage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One re-replication job: walks all shards of an index, so many at a time as the request has
 * slices. A shard whose primary no longer answers does not stop the others.
 */
final class RereplicationRun {

  private final ClusterAccess cluster;
  private final Parallel parallel;
  private final IndexMetadata index;
  private final RereplicateRequest request;
  private final List<ShardWalk> shards = new ArrayList<>();
  private final List<Throttle> throttles = new ArrayList<>();
  private final RereplicationRate rate;
  private final long total;

  private RereplicationRun(
      ClusterAccess cluster,
      Parallel parallel,
      IndexMetadata index,
      RereplicateRequest request,
      List<ShardWalk> shards) {
    this.cluster = cluster;
    this.parallel = parallel;
    this.index = index;
    this.request = request;
    this.shards.addAll(shards);
    this.rate = new RereplicationRate(cluster.clock());
    this.total = left();
    int slices =
        request.slices() == ByQuery.Options.AUTO
            ? shards.size()
            : Math.min(request.slices(), shards.size());
    for (int i = 0; i < slices; i++) {
      throttles.add(new Throttle(request.perSecond() / slices, cluster.clock()));
    }
  }

  /**
   * Claims all shards of the index for a new job.
   *
   * @param job identifies the job
   * @throws ApiException 409 if another job has one of them, or 503 if a primary does not answer;
   *     then no shard is claimed
   */
  static RereplicationRun claim(
      ClusterAccess cluster,
      ShardClient client,
      Parallel parallel,
      IndexMetadata index,
      RereplicateRequest request,
      String job)
      throws InterruptedException {
    ResumeToken from =
        request.resume() == null
            ? new ResumeToken(index.uuid(), request.method().text(), Map.of())
            : ResumeToken.decode(request.resume(), index.uuid(), request.method().text());
    List<ShardWalk> claimed = new ArrayList<>();
    try {
      for (ShardRouting shard : index.shards()) {
        ShardWalk walk =
            new ShardWalk(
                cluster,
                client,
                shard.shard(),
                request.method(),
                job,
                from.at(shard.shard().number()));
        walk.begin();
        claimed.add(walk);
      }
    } catch (ApiException e) {
      release(claimed);
      throw e;
    } catch (ShardClient.UnreachableException e) {
      release(claimed);
      throw new ApiException(
          503, "no_shard_available_action_exception", String.valueOf(e.getMessage()));
    }
    return new RereplicationRun(cluster, parallel, index, request, claimed);
  }

  private static void release(List<ShardWalk> claimed) throws InterruptedException {
    for (ShardWalk walk : claimed) {
      walk.end();
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
      release(shards);
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("took", (cluster.clock().nanos() - beganNanos) / 1_000_000);
    answer.put("timed_out", false);
    answer.putAll(status());
    if (task.cancelled()) {
      answer.put("canceled", "by user request");
    }
    answer.put(
        "failures", shards.stream().map(ShardWalk::failure).flatMap(Optional::stream).toList());
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

  private long left() {
    return shards.stream().mapToLong(ShardWalk::left).sum();
  }

  private Map<String, Object> status() {
    RereplicationPage.Outcomes sum =
        shards.stream()
            .map(ShardWalk::outcomes)
            .reduce(RereplicationPage.Outcomes.NONE, RereplicationPage.Outcomes::plus);
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("method", request.method().text());
    status.put("total", total);
    status.put("checked", sum.checked());
    status.put("re_replicated", sum.success());
    status.put("errors", sum.error());
    status.put("timeouts", sum.timeout());
    status.put("newer", sum.newer());
    status.put("unreplicated_records", left());
    RereplicationRate.Now now = rate.at(sum.checked());
    status.put("rate", object("avg", now.average(), "max", now.highest()));
    status.put("eta_millis", now.etaMillis(left()));
    status.put("throttled_millis", throttledMillis());
    status.put("requests_per_second", perSecond());
    status.put("shards", shards.stream().map(ShardWalk::json).toList());
    status.put("resume", token().encode());
    return status;
  }

  private long throttledMillis() {
    return shards.stream().mapToLong(ShardWalk::heldMillis).sum()
        + throttles.stream().mapToLong(Throttle::waitedMillis).sum();
  }

  private float perSecond() {
    float sum = 0;
    for (Throttle throttle : throttles) {
      sum += throttle.perSecond();
    }
    return Float.isInfinite(sum) ? -1 : sum;
  }

  private ResumeToken token() {
    Map<String, ResumeToken.At> at = new LinkedHashMap<>();
    for (ShardWalk walk : shards) {
      ResumeToken.At position = walk.position();
      if (!position.equals(ResumeToken.At.START)) {
        at.put(Integer.toString(walk.shard().number()), position);
      }
    }
    return new ResumeToken(index.uuid(), request.method().text(), at);
  }
}
