package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.FeatureLevels;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.standalone.ChildJvm;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two clusters of the former release follow an index of each other, while clients write to both.
 * The first cluster is upgraded, one process at a time, and its feature level is raised; then the
 * second one. So each release follows the other, at equal and at different feature levels.
 *
 * <p>At every stage, each cluster takes over metadata, follows a truncated log from segments on,
 * follows an index by pattern, is paused and resumed, is promoted, and fails back.
 */
@Tag("nightly")
@Tag("system")
@Timeout(7_200)
class FollowersOfAnotherReleaseTest {

  private static final List<String> COORDINATORS = List.of("coordinator-1", "coordinator-2");
  private static final List<String> PRIMARIES = List.of("shard-service-1", "shard-service-2");
  private static final List<String> PROCESSES =
      List.of(
          "coordinator-1",
          "coordinator-2",
          "replication-service-1",
          "shard-service-1",
          "shard-service-2",
          "ccr-follower-1");

  @TempDir Path data;
  private FormerRelease former;
  private Side first;
  private Side second;

  /** One of the clusters. Its index {@code live-NAME} is followed by the other one. */
  private record Side(String name, RunningCluster cluster, LoadBalancer balancer)
      implements AutoCloseable {

    static Side start(String name, Path data) throws Exception {
      RunningCluster cluster =
          RunningCluster.start(
              data, "--coordinators", "2", "--shard-services", "2", "--replication-services", "1");
      String secondUrl = cluster.url(COORDINATORS.getLast());
      return new Side(
          name, cluster, new LoadBalancer(cluster.url(), secondUrl, Duration.ofMinutes(2)));
    }

    RestCalls rest() {
      return cluster.rest();
    }

    CreateLoad write(int from) {
      return new CreateLoad(balancer, "live-" + name, from);
    }

    int level() throws IOException {
      return rest().get("/_cluster/feature_level").orThrow().json().path("feature_level").asInt();
    }

    void raiseLevel() throws IOException {
      rest().call("POST", "/_cluster/feature_level", "").orThrow();
      assertThat(level()).isEqualTo(FeatureLevels.NEWEST);
    }

    @Override
    public void close() throws IOException {
      balancer.close();
      cluster.close();
    }
  }

  @BeforeEach
  void startFormerRelease() throws Exception {
    former = FormerRelease.build();
    System.setProperty(ChildJvm.CLASS_PATH, former.classPath());
    first = Side.start("first", data.resolve("first"));
    second = Side.start("second", data.resolve("second"));
  }

  @AfterEach
  void stop() throws Exception {
    System.clearProperty(ChildJvm.CLASS_PATH);
    for (Side side : new Side[] {first, second}) {
      if (side != null) {
        side.close();
      }
    }
  }

  @Test
  void clustersOfTwoReleasesFollowEachOther() throws Exception {
    FollowedIndex ofFirst = live(first, second);
    FollowedIndex ofSecond = live(second, first);
    for (Side side : List.of(first, second)) {
      FollowedIndex.autoFollow(side.rest(), "auto");
    }
    try (CreateLoad intoFirst = first.write(10);
        CreateLoad intoSecond = second.write(10)) {
      List<CreateLoad> writes = List.of(intoFirst, intoSecond);
      List<FollowedIndex> lives = List.of(ofFirst, ofSecond);
      upgrade(first, writes, lives);
      assertThat(first.level()).isEqualTo(second.level()).isEqualTo(former.featureLevel());
      followBothWays("upgraded");
      first.raiseLevel();
      assertThat(second.level()).isEqualTo(former.featureLevel());
      followBothWays("raised");
      upgrade(second, writes, lives);
      followBothWays("both-upgraded");
      second.raiseLevel();
      followBothWays("both-raised");
      for (CreateLoad load : writes) {
        load.close();
        assertThat(load.refused()).isEmpty();
      }
      ofFirst.awaitCount(intoFirst.acked());
      ofSecond.awaitCount(intoSecond.acked());
    }
    ofFirst.awaitSame();
    ofSecond.awaitSame();
  }

  private static FollowedIndex live(Side leader, Side follower) throws Exception {
    FollowedIndex.remote(follower.rest(), leader.cluster().hostAndPort());
    FollowedIndex index =
        new FollowedIndex(leader.rest(), follower.rest(), "live-" + leader.name()).create("");
    index.leader().index(0, 10);
    index.follow();
    index.awaitSame();
    return index;
  }

  /** One process after the other, with a look at the writes and the followers after each. */
  private static void upgrade(Side side, List<CreateLoad> writes, List<FollowedIndex> lives)
      throws Exception {
    for (String process : PROCESSES) {
      replace(side, process);
      for (int i = 0; i < writes.size(); i++) {
        CreateLoad load = writes.get(i);
        load.awaitMore(20);
        assertThat(load.refused()).as("%s of %s was replaced", process, side.name()).isEmpty();
        lives.get(i).awaitCount(load.acked());
      }
    }
  }

  private static void replace(Side side, String process) throws Exception {
    String present = System.getProperty("java.class.path");
    side.balancer().use(process.equals(COORDINATORS.getFirst()) ? 2 : 1);
    if (PRIMARIES.contains(process)) {
      side.cluster().exclude(process);
      side.cluster().replace(process, present);
      side.cluster().excludeNone();
    } else {
      side.cluster().replace(process, present);
    }
  }

  private void followBothWays(String stage) throws Exception {
    exercise(first, second, stage);
    exercise(second, first, stage);
  }

  private static void exercise(Side leader, Side follower, String stage) throws Exception {
    String when = stage + ", " + follower.name() + " follows";
    String suffix = leader.name() + "-" + stage;
    FollowedIndex auto =
        new FollowedIndex(leader.rest(), follower.rest(), "auto-" + suffix).create("");
    auto.leader().index(0, 50);
    auto.awaitSame();
    auto.changeMetadata("added");
    auto.pauseAndResume();
    auto.leader().delete(0, 10);
    auto.awaitSame();
    FollowedIndex.assertAllFollow(follower.rest(), when);
    fromSegments(leader, follower, "archive-" + suffix);
    thereAndBack(leader, follower, "orders-" + suffix);
  }

  private static void fromSegments(Side leader, Side follower, String name) throws Exception {
    FollowedIndex archive =
        new FollowedIndex(leader.rest(), follower.rest(), name)
            .create(
                ",\"log.retention\":\"auto\",\"log.retention.min_copies\":1,"
                    + "\"log.retention.grace\":\"0s\"");
    archive.leader().index(0, 500);
    archive.leader().delete(0, 30);
    TruncatedLog.await(
        KafkaLogConfig.of(leader.cluster().kafka(), "test"), archive.leader(), 1, 100);
    archive.leader().index(490, 520);
    archive.follow();
    archive.leader().index(520, 540);
    archive.awaitSame();
  }

  private static void thereAndBack(Side leader, Side follower, String name) throws Exception {
    FollowedIndex orders = new FollowedIndex(leader.rest(), follower.rest(), name).create("");
    orders.leader().index(0, 100);
    orders.follow();
    orders.awaitSame();
    orders.promote();
    orders.leader().index(100, 110);
    orders.follower().index(200, 240);
    FollowedIndex back = orders.failBack();
    back.awaitSame();
    back.leader().index(240, 250);
    back.awaitSame();
  }
}
