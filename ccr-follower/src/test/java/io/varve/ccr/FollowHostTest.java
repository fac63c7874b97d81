package io.varve.ccr;

import static io.varve.ccr.FollowerClusterLog.pulledBy;
import static io.varve.ccr.FollowerClusterLog.uuid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.NodeInfo;
import io.varve.events.Feature;
import io.varve.events.ShardId;
import io.varve.rpc.PullerStats;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which pullers a node runs while the cluster state changes. */
@Timeout(180)
class FollowHostTest {

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final List<String> failing = new CopyOnWriteArrayList<>();
  private FollowerClusterLog cluster;
  private FollowHost host;

  @BeforeEach
  void start() throws Exception {
    cluster = new FollowerClusterLog();
    host = new FollowHost("here", cluster.view, this::puller, Runnable::run, 1);
    host.start();
  }

  @AfterEach
  void close() {
    host.close();
    cluster.close();
  }

  private void call(String call) {
    calls.add(call);
    if (failing.remove(call)) {
      throw new IllegalStateException("on purpose");
    }
  }

  private FollowHost.Puller puller(ShardId shard, FollowRelation follow) {
    String name = shard.indexUuid() + "/" + shard.number() + " of " + follow.assignment();
    call("start " + name);
    return new FollowHost.Puller() {
      @Override
      public PullerStats stats() {
        return new PullProgress(shard, 0).stats(0);
      }

      @Override
      public void release() {
        call("release " + name);
      }

      @Override
      public void close() {
        call("close " + name);
      }
    };
  }

  private void awaitCalls(String... expected) {
    await()
        .atMost(FollowerClusterLog.SOON)
        .untilAsserted(() -> assertThat(calls).containsExactlyInAnyOrder(expected));
    calls.clear();
  }

  private List<String> pulled() {
    return host.stats().stream().map(stats -> stats.indexUuid() + "/" + stats.shardId()).toList();
  }

  private void awaitPulled(String... shards) {
    await()
        .atMost(FollowerClusterLog.SOON)
        .untilAsserted(() -> assertThat(pulled()).containsExactlyInAnyOrder(shards));
  }

  @Test
  void eachShardOfAnIndexThatIsAssignedToThisNodeIsPulled() throws Exception {
    cluster.seeds("host:9200");
    cluster.createIndex("plain", null);
    cluster.createIndex("elsewhere", pulledBy("there"));
    cluster.createIndex("nowhere", pulledBy(null));

    cluster.createIndex("books", pulledBy("here"));

    awaitCalls("start uuid-of-books/0 of 1", "start uuid-of-books/1 of 1");
    awaitPulled("uuid-of-books/0", "uuid-of-books/1");
  }

  @Test
  void nothingIsPulledFromAClusterWithoutSeeds() throws Exception {
    cluster.createIndex("books", pulledBy("here"));
    assertThat(calls).isEmpty();

    cluster.seeds("host:9200");
    awaitCalls("start uuid-of-books/0 of 1", "start uuid-of-books/1 of 1");

    cluster.happened(new ClusterEvent.ClusterSettingsChanged(Map.of(), Map.of()));
    awaitCalls("close uuid-of-books/0 of 1", "close uuid-of-books/1 of 1");
    awaitPulled();
  }

  @Test
  void aFollowerThatIsClosedAndOpenedKeepsItsPullersWhichWaitMeanwhile() throws Exception {
    cluster.seeds("host:9200");
    cluster.createIndex("books", pulledBy("here"));
    awaitCalls("start uuid-of-books/0 of 1", "start uuid-of-books/1 of 1");

    cluster.happened(new ClusterEvent.IndexClosed(uuid("books")));
    cluster.happened(new ClusterEvent.IndexOpened(uuid("books")));
    awaitPulled("uuid-of-books/0", "uuid-of-books/1");
    cluster.assign("books", "there", 2);

    awaitCalls("close uuid-of-books/0 of 1", "close uuid-of-books/1 of 1");
  }

  @Test
  void aLeaseStaysWhenAnotherNodePullsAndIsReleasedWhenNobodyFollows() throws Exception {
    cluster.seeds("host:9200");
    cluster.createIndex("books", pulledBy("here"));
    awaitCalls("start uuid-of-books/0 of 1", "start uuid-of-books/1 of 1");

    cluster.assign("books", "there", 2);
    awaitCalls("close uuid-of-books/0 of 1", "close uuid-of-books/1 of 1");
    cluster.assign("books", "here", 3);
    awaitCalls("start uuid-of-books/0 of 3", "start uuid-of-books/1 of 3");

    cluster.happened(new ClusterEvent.IndexDeleted(uuid("books")));
    awaitCalls(
        "close uuid-of-books/0 of 3",
        "release uuid-of-books/0 of 3",
        "close uuid-of-books/1 of 3",
        "release uuid-of-books/1 of 3");
  }

  @Test
  void theShardsOfAnIndexAreSpreadOverTheNodesThatPull() throws Exception {
    cluster.seeds("host:9200");
    cluster.happened(new ClusterEvent.FeatureLevelRaised(Feature.SPREAD_PULLERS.since()));
    joins("here");
    joins("there");
    cluster.createIndex("books", pulledBy("there"));
    await().atMost(FollowerClusterLog.SOON).until(() -> pulled().size() == 1);

    cluster.happened(new ClusterEvent.NodeLeft("there", "on purpose"));
    awaitPulled("uuid-of-books/0", "uuid-of-books/1");

    joins("there");
    await().atMost(FollowerClusterLog.SOON).until(() -> pulled().size() == 1);
    assertThat(calls).as("the lease stays").noneMatch(call -> call.startsWith("release"));
  }

  private void joins(String nodeId) throws Exception {
    cluster.happened(
        new ClusterEvent.NodeJoined(
            new NodeInfo(nodeId, nodeId, "i", Set.of(NodeInfo.CCR), "http://" + nodeId)));
  }

  @Test
  void aNewAssignmentEndsThePullerOfTheOldOneFirst() throws Exception {
    cluster.seeds("host:9200");
    cluster.createIndex("books", pulledBy("here"));
    awaitCalls("start uuid-of-books/0 of 1", "start uuid-of-books/1 of 1");

    cluster.assign("books", "here", 2);

    await().atMost(FollowerClusterLog.SOON).until(() -> calls.size() == 4);
    assertThat(calls.subList(0, 2))
        .containsExactlyInAnyOrder("close uuid-of-books/0 of 1", "close uuid-of-books/1 of 1");
    assertThat(calls.subList(2, 4))
        .containsExactlyInAnyOrder("start uuid-of-books/0 of 2", "start uuid-of-books/1 of 2");
  }

  @Test
  void aPullerThatCannotBeStartedIsTriedAgainAndHoldsUpNoOther() throws Exception {
    cluster.seeds("host:9200");
    failing.addAll(List.of("start uuid-of-books/0 of 1", "start uuid-of-books/0 of 1"));

    cluster.createIndex("books", pulledBy("here"));

    awaitPulled("uuid-of-books/0", "uuid-of-books/1");
    assertThat(calls.stream().filter("start uuid-of-books/0 of 1"::equals)).hasSize(3);
    assertThat(calls.stream().filter("start uuid-of-books/1 of 1"::equals)).hasSize(1);
  }

  @Test
  void aPullerThatCannotBeClosedIsTriedAgainAndHoldsUpNoOther() throws Exception {
    cluster.seeds("host:9200");
    cluster.createIndex("books", pulledBy("here"));
    awaitPulled("uuid-of-books/0", "uuid-of-books/1");
    failing.add("close uuid-of-books/0 of 1");

    cluster.assign("books", "there", 2);

    awaitPulled();
    assertThat(calls.stream().filter("close uuid-of-books/0 of 1"::equals)).hasSize(2);
    assertThat(calls).noneMatch(call -> call.startsWith("release"));
  }

  @Test
  void aLeaseThatCannotBeReleasedHoldsUpNothing() throws Exception {
    cluster.seeds("host:9200");
    cluster.createIndex("books", pulledBy("here"));
    awaitPulled("uuid-of-books/0", "uuid-of-books/1");
    failing.addAll(List.of("release uuid-of-books/0 of 1", "release uuid-of-books/1 of 1"));
    cluster.happened(new ClusterEvent.IndexDeleted(uuid("books")));

    cluster.createIndex("others", pulledBy("here"));

    awaitPulled("uuid-of-others/0", "uuid-of-others/1");
  }

  @Test
  void nothingIsStartedOnceTheHostIsClosed() throws Exception {
    cluster.seeds("host:9200");
    cluster.createIndex("books", pulledBy("here"));
    awaitCalls("start uuid-of-books/0 of 1", "start uuid-of-books/1 of 1");

    host.close();
    cluster.createIndex("others", pulledBy("here"));

    awaitCalls("close uuid-of-books/0 of 1", "close uuid-of-books/1 of 1");
  }
}
