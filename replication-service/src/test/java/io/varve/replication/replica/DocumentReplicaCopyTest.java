package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.engine.SearchView;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RecordHeader;
import io.varve.host.ShardCopy;
import io.varve.rpc.GetResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class DocumentReplicaCopyTest {

  @TempDir private Path data;
  private ReplicaWorld world;

  @BeforeEach
  void open() throws Exception {
    world =
        new ReplicaWorld(
            data, Map.of("index.refresh_interval", "-1", "index.replication.type", "DOCUMENT"));
    world.openPrimary();
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  @Test
  void isStartedWhenItHasReachedTheEndThatItSaw() throws Exception {
    world.index(0, 300);
    world.delete(0, 20);

    DocumentReplicaCopy replica = started();

    assertThat(replica.state()).isEqualTo(ShardCopy.State.STARTED);
    assertThat(replica.visible().current()).isEqualTo(319);
    assertThat(hits(replica)).isEqualTo(280);
    assertThat(replica.term()).isEqualTo(1);
    assertThat(replica.progress().appliedOffset()).isEqualTo(world.operations().endOffset());
  }

  @Test
  void holdsDurablyWhatItReplayedWhenItIsStarted() throws Exception {
    world.index(0, 40);

    DocumentReplicaCopy replica = started();

    assertThat(replica.durableOffset()).isEqualTo(world.operations().endOffset());
  }

  @Test
  void showsWhatIsWaitedForBeforeItsInterval() throws Exception {
    DocumentReplicaCopy replica = started();
    long last = world.index(0, 50);
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .until(() -> replica.progress().appliedSeqNo() == last);
    assertThat(hits(replica)).as("nothing asked for it").isZero();
    assertThat(replica.progress().millisBehind()).isNotNegative();

    replica.want(last, new CompletableFuture<>());

    assertThat(replica.visible().await(last, ReplicaWorld.SOON)).isTrue();
    assertThat(hits(replica)).isEqualTo(50);
    assertThat(replica.progress().lastLagMillis()).isNotNegative();
  }

  @Test
  void showsWhatIsWaitedForEvenIfItComesLater() throws Exception {
    DocumentReplicaCopy replica = started();
    replica.want(9, new CompletableFuture<>());

    long last = world.index(0, 10);

    assertThat(last).isEqualTo(9);
    assertThat(replica.visible().await(last, ReplicaWorld.SOON)).isTrue();
  }

  @Test
  void answersStrongReadsThoughOneWasAskedBeforeItWasOpen() throws Exception {
    world.index(0, 20);
    DocumentReplicaCopy replica = world.newDocumentReplica();
    assertThat(replica.freshness().within(0)).isCompletedExceptionally();

    replica.start();

    assertThat(replica.freshness().within(0).get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(hits(replica)).isEqualTo(20);
  }

  @Test
  void mayBeReportedWhenItShowsWhatWasInTheLog() throws Exception {
    assertThat(world.newDocumentReplica().showNewest(Duration.ZERO)).isFalse();
    world.index(0, 20);
    DocumentReplicaCopy replica = started();
    assertThat(replica.serves()).as("it may show less than others by now").isFalse();

    assertThat(replica.showNewest(ReplicaWorld.SOON)).isTrue();
    assertThat(replica.serves()).isTrue();
    assertThat(hits(replica)).isEqualTo(20);
  }

  /** It is reported again, by the same process, after its node was away from the cluster. */
  @Test
  void isReportedAgainWhenItShowsWhatCameWhileItsNodeWasAway() throws Exception {
    world.index(0, 20);
    DocumentReplicaCopy replica = started();
    assertThat(replica.showNewest(ReplicaWorld.SOON)).isTrue();

    world.index(20, 40);

    assertThat(replica.showNewest(ReplicaWorld.SOON)).isTrue();
    assertThat(hits(replica)).isEqualTo(40);
  }

  @Test
  void keepsSeqNoTermAndVersionOfTheRecord() throws Exception {
    world.index(0, 1);
    world.index(0, 1);
    DocumentReplicaCopy replica = started();

    GetResult found = replica.searchable().orElseThrow().get("book-0", false);

    assertThat(found.found()).isTrue();
    assertThat(found.seqNo()).isEqualTo(1);
    assertThat(found.version()).isEqualTo(2);
    assertThat(found.primaryTerm()).isEqualTo(1);
  }

  @Test
  void goesOnFromItsCommitAfterARestart() throws Exception {
    world.index(0, 100);
    started().close();
    world.openPrimary();
    world.index(50, 150);
    world.openPrimary();

    DocumentReplicaCopy again = started();

    assertThat(hits(again)).isEqualTo(150);
    assertThat(again.term()).isEqualTo(3);
    assertThat(again.visible().current()).isEqualTo(199);
    assertThat(again.stats().activity().indexing().index().total())
        .as("what was committed is not applied again")
        .isEqualTo(100);
  }

  @Test
  void aCommitRightBehindATermChangeLosesNothing() throws Exception {
    world.index(0, 10);
    world.openPrimary();
    started().close();
    world.index(10, 20);
    started().close();
    world.openPrimary();

    DocumentReplicaCopy again = started();

    world.index(20, 30);
    again.want(29, new CompletableFuture<>());
    assertThat(again.visible().await(29, ReplicaWorld.SOON)).isTrue();
    assertThat(hits(again)).isEqualTo(30);
  }

  @Test
  void appliesNothingThatWasNotAccepted() throws Exception {
    DocumentReplicaCopy replica = started();
    world.index(0, 10);
    world.openPrimary();
    // A writer of the old term that does not know of the new one yet.
    Operation late =
        new Operation(1, 10, 1, 1, "late", null, "{}".getBytes(StandardCharsets.UTF_8), null);
    TestClusterLog.append(world.operations(), OperationCodec.encode(late));
    TestClusterLog.append(world.operations(), RecordHeader.fence(1, "n9"));
    assertThat(replica.progress().state()).isEqualTo("STARTED");

    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .until(() -> replica.progress().appliedOffset() == world.operations().endOffset());
    replica.want(9, new CompletableFuture<>());
    assertThat(replica.visible().await(9, ReplicaWorld.SOON)).isTrue();
    assertThat(hits(replica)).isEqualTo(10);
    assertThat(replica.progress().appliedSeqNo()).isEqualTo(9);
    assertThat(replica.searchable().orElseThrow().get("late", true).found()).isFalse();
  }

  @Test
  void doesNotStartWhenTheLogLacksWhatItNeeds() throws Exception {
    world.index(0, 10);
    world.operations().truncateBefore(5);

    assertThatThrownBy(this::started).hasMessageContaining("begins at 5");
  }

  @Test
  void waitsNoLongerWhenClosed() throws Exception {
    DocumentReplicaCopy replica = started();
    CompletableFuture<Boolean> shown = replica.visible().reached(1_000);

    replica.close();

    assertThat(shown).as("the wait ends by the close").isCompletedWithValue(false);
    assertThat(replica.state()).isEqualTo(ShardCopy.State.CLOSED);
  }

  private DocumentReplicaCopy started() throws Exception {
    DocumentReplicaCopy replica = world.newDocumentReplica();
    replica.start();
    return replica;
  }

  private static int hits(ShardCopy copy) throws IOException {
    try (SearchView view = copy.searchable().orElseThrow().acquireView()) {
      return view.searcher().count(MatchAllDocsQuery.INSTANCE);
    }
  }
}
