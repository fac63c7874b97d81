package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.awaitVisible;
import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.SearchView;
import io.varve.events.CopyProgress;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.host.ShardCopy;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyStats;
import io.varve.store.CodecFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class SegmentReplicaCopyTest extends SegmentReplicaWorld {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void replicaFilesAreByteIdenticalToThePrimarys(boolean compressed) throws Exception {
    if (compressed) {
      world.transfers.compress();
    }
    world.index(0, 200);
    world.refresh();
    SegmentReplicaCopy replica = world.openReplica();
    for (int round = 0; round < 8; round++) {
      world.index(200 * round, 200 * round + 300);
      world.delete(200 * round, 200 * round + 50);
      awaitVisible(replica, world.refresh());
    }

    Manifest manifest = world.newestManifest();
    assertThat(manifest.files()).isNotEmpty();
    for (SegmentFile file : manifest.files()) {
      assertThat(world.indexFolder("n2").resolve(file.name()))
          .hasSameBinaryContentAs(world.indexFolder("n1").resolve(file.name()));
      assertThat(CodecFile.identify(world.indexFolder("n2").resolve(file.name()))).isEqualTo(file);
    }
    assertThat(hits(replica)).isEqualTo(1_700 - 8 * 50);
    // The last responses are counted after their last byte.
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .untilAsserted(() -> {
          CopyStats.Copied sent = world.writer().stats().kept().copied();
          assertThat(sent.sentWireBytes() < sent.sentBytes()).isEqualTo(compressed);
        });
  }

  @Test
  void noFileIsFetchedTwice() throws Exception {
    SegmentReplicaCopy replica = world.openReplica();
    for (int round = 0; round < 15; round++) {
      world.index(100 * round, 100 * round + 150);
      awaitVisible(replica, world.refresh());
    }

    assertThat(world.server.filesAsked).isNotEmpty().doesNotHaveDuplicates();
    CopyProgress progress = replica.progress();
    assertThat(progress.filesFetched()).isEqualTo(world.server.filesAsked.size());
    assertThat(progress.bytesBehind()).isZero();
    assertThat(progress.checkpointsBehind()).isZero();
    assertThat(progress.millisBehind()).isZero();
    assertThat(progress.lastLagMillis()).isNotNegative();
    assertThat(progress.state()).isEqualTo("STARTED");
  }

  @Test
  void restartFetchesNothing() throws Exception {
    world.index(0, 500);
    world.refresh();
    SegmentReplicaCopy replica = world.openReplica();
    assertThat(hits(replica)).isEqualTo(500);
    replica.close();
    int asked = world.server.filesAsked.size();

    SegmentReplicaCopy again = world.openReplica();

    assertThat(again.state()).isEqualTo(ShardCopy.State.STARTED);
    assertThat(hits(again)).isEqualTo(500);
    assertThat(again.visible().current()).isEqualTo(499);
    assertThat(again.progress().bytesFetched()).isZero();
    assertThat(world.server.filesAsked).hasSize(asked);
  }

  @Test
  void servesWhatItHasWhileItsSourceIsAway() throws Exception {
    world.index(0, 100);
    world.refresh();
    world.openReplica().close();
    world.index(100, 200);
    long newest = world.refresh();
    world.server.gate =
        (method, rest) -> {
          throw new ApiException(503, "unavailable", "away");
        };

    SegmentReplicaCopy again = world.openReplica();

    assertThat(again.state()).isEqualTo(ShardCopy.State.STARTED);
    assertThat(hits(again)).isEqualTo(100);
    assertThat(again.progress().checkpointsBehind()).isPositive();
    assertThat(again.showNewest(Duration.ZERO))
        .as("nobody else serves: it may be promoted")
        .isTrue();
    assertThat(again.serves()).as("it shows less than was shown before").isFalse();
    world.server.gate = (method, rest) -> {};
    awaitVisible(again, newest);
    assertThat(hits(again)).isEqualTo(200);
    assertThat(again.serves()).isTrue();
  }

  @Test
  void newerManifestInMidCopyTakesOverFinishedFiles() throws Exception {
    world.transfers.askForEachFileAlone();
    world.index(0, 2_000);
    world.refresh();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch reached = new CountDownLatch(1);
    AtomicInteger files = new AtomicInteger();
    world.server.gate =
        (method, rest) -> {
          if (method.endsWith("files") && files.getAndIncrement() == 2) {
            reached.countDown();
            assertThat(held.await(120, TimeUnit.SECONDS)).isTrue();
          }
        };
    SegmentReplicaCopy replica = world.newReplica();
    Thread starting = Thread.ofVirtual().start(() -> start(replica));
    assertThat(reached.await(120, TimeUnit.SECONDS)).isTrue();
    for (int round = 0; round < 5; round++) {
      world.index(2_000 + round * 10, 2_010 + round * 10);
      world.refresh();
    }

    held.countDown();

    starting.join();
    awaitVisible(replica, 2_049);
    assertThat(hits(replica)).isEqualTo(2_050);
    assertThat(world.server.filesAsked).doesNotHaveDuplicates();
  }

  @Test
  void goesOnWithTheNewestWhenTheOldIsGone() throws Exception {
    SegmentReplicaCopy replica = world.openReplica();
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch published = new CountDownLatch(1);
    world.server.gate =
        (method, rest) -> {
          if (method.equals("GET bundle") && asked.getCount() > 0) {
            asked.countDown();
            assertThat(published.await(120, TimeUnit.SECONDS)).isTrue();
          }
        };
    world.index(0, 10);
    world.refresh();
    assertThat(asked.await(120, TimeUnit.SECONDS)).isTrue();
    world.index(10, 20);
    long newest = world.refresh();

    published.countDown();

    awaitVisible(replica, newest);
    assertThat(hits(replica)).isEqualTo(20);
  }

  @Test
  void searchesKeepTheirFilesWhileANewerManifestIsInstalled() throws Exception {
    world.index(0, 100);
    world.refresh();
    SegmentReplicaCopy replica = world.openReplica();
    List<String> before = names(world.newestManifest());
    try (SearchView view = replica.searchable().orElseThrow().acquireView()) {
      // Every document is replaced, so the segments that held them are dropped.
      world.index(0, 100);
      awaitVisible(replica, world.refresh());
      world.index(0, 100);
      awaitVisible(replica, world.refresh());

      assertThat(view.searcher().count(MatchAllDocsQuery.INSTANCE)).isEqualTo(100);
      assertThat(world.indexFolder("n2").toFile().list()).contains(before.toArray(new String[0]));
    }

    List<String> now = names(world.newestManifest());
    assertThat(now).as("the first segments are gone").doesNotContainAnyElementsOf(before);
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .untilAsserted(
            () -> assertThat(segmentFiles(world.indexFolder("n2"))).hasSameElementsAs(now));
  }

  @Test
  void followsTheNextTerm() throws Exception {
    world.index(0, 100);
    world.refresh();
    SegmentReplicaCopy replica = world.openReplica();
    world.index(100, 150);

    world.openPrimary();

    awaitVisible(replica, 149);
    assertThat(replica.term()).isEqualTo(2);
    assertThat(hits(replica)).isEqualTo(150);
    world.index(150, 160);
    awaitVisible(replica, world.refresh());
    assertThat(hits(replica)).isEqualTo(160);
    assertThat(world.server.filesAsked).doesNotHaveDuplicates();
    assertThat(world.brokenCopies.stream().filter(reason -> reason.startsWith("r"))).isEmpty();
  }

  @Test
  void closesInTheMiddleOfARound() throws Exception {
    world.index(0, 100);
    world.refresh();
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    world.server.gate =
        (method, rest) -> {
          reached.countDown();
          assertThat(held.await(120, TimeUnit.SECONDS)).isTrue();
        };
    SegmentReplicaCopy replica = world.newReplica();
    Thread starting = Thread.ofVirtual().start(() -> start(replica));
    assertThat(reached.await(120, TimeUnit.SECONDS)).isTrue();

    replica.close();

    starting.join();
    assertThat(replica.state()).isEqualTo(ShardCopy.State.CLOSED);
    held.countDown();
  }

  private static List<String> names(Manifest manifest) {
    return manifest.files().stream().map(SegmentFile::name).toList();
  }

  private static List<String> segmentFiles(Path folder) {
    String[] names = folder.toFile().list((directory, name) -> name.startsWith("_"));
    return names == null ? List.of() : List.of(names);
  }
}
