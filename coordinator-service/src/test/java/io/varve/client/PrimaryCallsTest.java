package io.varve.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSettings;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.events.ShardId;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PrimaryCallsTest {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final ShardId A = new ShardId("a-uuid", 0);

  private final FakeCluster cluster = new FakeCluster().index("a", 1).index("b", 1);
  private final PrimaryCalls calls = new PrimaryCalls(cluster);
  private final Abort abort = new Abort();

  @BeforeEach
  void start() {
    cluster.setting(ClusterSettings.SUPERSEDED_GRACE, "0");
  }

  @AfterEach
  void close() {
    calls.close();
  }

  private void awaitAborted(Abort call) {
    await().atMost(SOON).until(call::isAborted);
  }

  private CopyAddress primary() {
    return CopyAddress.started(cluster.state(), cluster.state().indices().get("a").shard(0))
        .getFirst();
  }

  @Test
  void aWriteIsEndedWhenANewerTermBegins() {
    try (PrimaryCalls.Pending _ = calls.ofTerm(A, FakeCluster.TERM, abort)) {
      cluster.promote("a");
      awaitAborted(abort);
    }
    assertThat(calls.count()).isZero();
  }

  @Test
  void aReadIsEndedWhenAnotherCopyIsThePrimary() {
    try (PrimaryCalls.Pending _ = calls.ofCopy(primary(), abort)) {
      cluster.promote("a");
      awaitAborted(abort);
    }
  }

  @Test
  void oneThatComesAfterTheNewTermIsEndedToo() {
    cluster.promote("a");
    try (PrimaryCalls.Pending _ = calls.ofTerm(A, FakeCluster.TERM, abort)) {
      awaitAborted(abort);
    }
  }

  @Test
  void oneAtAShardThatIsGoneIsEnded() {
    try (PrimaryCalls.Pending _ = calls.ofTerm(A, FakeCluster.TERM, abort)) {
      cluster.change(state -> state.apply(new ClusterEvent.IndexDeleted("a-uuid")));
      awaitAborted(abort);
    }
  }

  @Test
  void callsToThePrimaryOfNowAndToOtherShardsGoOn() {
    Abort newer = new Abort();
    Abort other = new Abort();
    try (PrimaryCalls.Pending _ = calls.ofTerm(A, FakeCluster.TERM, abort);
        PrimaryCalls.Pending _ = calls.ofTerm(A, FakeCluster.TERM + 1, newer);
        PrimaryCalls.Pending _ = calls.ofTerm(new ShardId("b-uuid", 0), FakeCluster.TERM, other)) {
      cluster.promote("a");
      awaitAborted(abort);
      assertThat(calls.count()).as("they are still watched").isEqualTo(2);
    }
    assertThat(newer.isAborted()).isFalse();
    assertThat(other.isAborted()).isFalse();
  }

  @Test
  void aCallThatHasEndedIsForgotten() {
    calls.ofTerm(A, FakeCluster.TERM, abort).close();
    cluster.promote("a");
    assertThat(calls.count()).isZero();
    assertThat(abort.isAborted()).isFalse();
  }
}
