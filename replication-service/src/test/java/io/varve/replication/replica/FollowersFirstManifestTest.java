package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.FollowRelation;
import io.varve.events.Feature;
import io.varve.events.Manifest;
import io.varve.events.StoredRecord;
import io.varve.host.CopyContext;
import io.varve.host.NodeWorld;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A replica of a follower does nothing before a manifest tells where the shard's log begins. */
@Timeout(180)
class FollowersFirstManifestTest {

  private static final FollowRelation FOLLOW =
      new FollowRelation("remote", "books", "leader-uuid", "f1", 3);
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path folder;
  private NodeWorld world;
  private CopyContext replica;
  private FutureTask<Void> wait;
  private Thread waiter;

  @BeforeEach
  void makeWorld() throws Exception {
    world = new NodeWorld(folder);
    world.happened(new ClusterEvent.FeatureLevelRaised(Feature.FOLLOWER_BOOTSTRAP.since()));
    replica = world.copy("n2");
    wait =
        new FutureTask<>(() -> {
          FollowersFirstManifest.await(replica);
          return null;
        });
    waiter = new Thread(wait);
  }

  @AfterEach
  void endWorld() throws InterruptedException {
    waiter.interrupt();
    waiter.join();
    world.close();
  }

  private void index(@Nullable FollowRelation follow) {
    world.createIndex(Map.of(), "{}", follow);
  }

  private void primaryOfTerm(long term) {
    world.happened(new ClusterEvent.PrimaryAssigned(NodeWorld.SHARD, "copy-" + term, "n1", term));
  }

  private void published(long term) throws Exception {
    Manifest manifest =
        new Manifest(NodeWorld.SHARD, "n1", term, 1, 1, 0, term, -1, List.of(), "", Map.of(), 0);
    var _ = new ManifestLog(world.manifests()).append(manifest);
  }

  /** Returns once it waits for a manifest, without a limit of time. */
  private void begins() {
    waiter.start();
    awaitsAManifest();
  }

  private void awaitsAManifest() {
    await().atMost(SOON).until(() -> waiter.getState() == Thread.State.WAITING || wait.isDone());
    assertThat(wait.isDone()).isFalse();
  }

  /** Returns once everything that was appended so far was delivered to what subscribed before. */
  private void delivered() throws Exception {
    CountDownLatch seen = new CountDownLatch((int) world.manifests().endOffset());
    PartitionLog.BatchListener counter =
        new PartitionLog.BatchListener() {
          @Override
          public void records(List<StoredRecord> batch) {
            batch.forEach(_ -> seen.countDown());
          }

          @Override
          public void lost(LogException.OutOfRange reason) {
            throw new AssertionError(reason);
          }
        };
    try (PartitionLog.Subscription _ = world.manifests().subscribe(0, counter)) {
      assertThat(seen.await(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private void returns() throws Exception {
    wait.get(60, TimeUnit.SECONDS);
  }

  @Test
  void isNotAwaitedOfAnIndexThatDoesNotFollow() throws Exception {
    index(null);
    primaryOfTerm(1);

    waiter.start();

    returns();
  }

  @Test
  void isAwaitedUntilThePrimaryPublishes() throws Exception {
    index(FOLLOW);
    primaryOfTerm(1);
    begins();

    published(1);

    returns();
  }

  @Test
  void mayHaveBeenPublishedBefore() throws Exception {
    index(FOLLOW);
    primaryOfTerm(1);
    published(1);

    waiter.start();

    returns();
  }

  /** A manifest of an earlier term may be that of a primary whose beginning was given up. */
  @Test
  void mustBeOfTheNewestTermThatWasAssignedBefore() throws Exception {
    index(FOLLOW);
    primaryOfTerm(1);
    published(1);
    primaryOfTerm(2);
    begins();
    delivered();
    awaitsAManifest();

    published(2);

    returns();
  }

  /** The later primary may have decided behind its own fence before it saw the manifest. */
  @Test
  void mustBeOfATermThatWasAssignedMeanwhile() throws Exception {
    index(FOLLOW);
    primaryOfTerm(1);
    begins();

    primaryOfTerm(2);
    published(1);
    delivered();
    awaitsAManifest();
    published(2);

    returns();
  }

  @Test
  void mayBeOfALaterTermThanTheAwaitedOne() throws Exception {
    index(FOLLOW);
    primaryOfTerm(1);
    begins();

    published(2);

    returns();
  }

  @Test
  void cannotBeAwaitedInALogThatLostIt() throws Exception {
    index(FOLLOW);
    primaryOfTerm(1);
    begins();

    world.loseManifests();

    assertThatThrownBy(this::returns)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(LogException.Unavailable.class);
  }

  @Test
  void cannotBeAwaitedIfTheClusterLogIsNotReadToItsEnd() throws Exception {
    index(FOLLOW);
    world.stopReadingTheClusterLog();

    assertThatThrownBy(() -> FollowersFirstManifest.await(replica, Duration.ZERO))
        .isInstanceOf(LogException.Unavailable.class)
        .hasMessageContaining("the cluster log was not read to its end");
  }
}
