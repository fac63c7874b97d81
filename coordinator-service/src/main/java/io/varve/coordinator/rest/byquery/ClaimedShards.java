package io.varve.coordinator.rest.byquery;

import io.varve.client.ShardClient;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rpc.ApiException;
import io.varve.rpc.RereplicationPage;
import io.varve.rpc.RereplicationWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The shards of an index that one re-replication job has claimed, exclusively, until it releases
 * them.
 */
record ClaimedShards(IndexMetadata index, List<ShardWalk> shards) {

  ClaimedShards {
    shards = List.copyOf(shards);
  }

  /**
   * Claims all shards of the index for a new job.
   *
   * @param nowMillis the present time
   * @throws ApiException 409 if another job has one of them, or 503 if a primary does not answer;
   *     then no shard is claimed
   */
  static ClaimedShards claim(
      ClusterAccess cluster,
      ShardClient client,
      IndexMetadata index,
      RereplicateRequest request,
      long nowMillis)
      throws InterruptedException {
    String method = request.method().text();
    ResumeToken from =
        request.resume() == null
            ? new ResumeToken(index.uuid(), method, Map.of())
            : ResumeToken.decode(request.resume(), index.uuid(), method);
    RereplicateRequest.Records records = request.records();
    RereplicationWork work =
        new RereplicationWork(
            records.query(), nowMillis, records.operations(), records.proceed(), records.verify());
    ShardWalk.Job job = new ShardWalk.Job(UUID.randomUUID().toString(), request.method(), work);
    List<ShardWalk> claimed = new ArrayList<>();
    try {
      for (ShardRouting shard : index.shards()) {
        ShardWalk walk =
            new ShardWalk(cluster, client, shard.shard(), job, from.at(shard.shard().number()));
        walk.claim();
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
    return new ClaimedShards(index, claimed);
  }

  private static void release(List<ShardWalk> claimed) throws InterruptedException {
    for (ShardWalk walk : claimed) {
      walk.end();
    }
  }

  void release() throws InterruptedException {
    release(shards);
  }

  RereplicationPage.Outcomes outcomes() {
    return shards.stream()
        .map(ShardWalk::outcomes)
        .reduce(RereplicationPage.Outcomes.NONE, RereplicationPage.Outcomes::plus);
  }

  RereplicationPage.Compared compared() {
    return shards.stream()
        .map(ShardWalk::compared)
        .reduce(RereplicationPage.Compared.NOTHING, RereplicationPage.Compared::plus);
  }

  List<Map<String, Object>> failures() {
    return shards.stream().map(ShardWalk::failure).flatMap(Optional::stream).toList();
  }

  long heldMillis() {
    return shards.stream().mapToLong(ShardWalk::heldMillis).sum();
  }

  /** The records that are not checked yet. */
  long left() {
    return shards.stream().mapToLong(ShardWalk::left).sum();
  }
}
