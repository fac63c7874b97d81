package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.SOON;
import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.Fork;
import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RecordHeader;
import io.varve.log.Appends;
import io.varve.log.PartitionLog;
import io.varve.rpc.ApiException;
import io.varve.rpc.BootstrapWire;
import io.varve.shard.primary.PrimaryCopy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A follower's shard that begins with its leader's segments, which hold operations after the
 * position of their manifest, or which contradict the shard's own log.
 */
@Timeout(300)
class CopiedAheadTest extends LeaderBootstrapWorld {

  private static final int IN_SEGMENTS = 50;
  private static final long IN_MANIFEST = 40;

  /** Segments with seq_nos 0 to 49, of which the manifest promises those below 40. */
  private Manifest ahead(boolean states) throws Exception {
    world.index(0, IN_SEGMENTS);
    world.refresh();
    Manifest whole = world.newestManifest();
    assertThat(whole.maxSeqNo()).hasValue(IN_SEGMENTS - 1);
    Map<String, String> data = new HashMap<>(whole.commitData());
    if (!states) {
      data.remove(Manifest.MAX_SEQ_NO);
    }
    return new Manifest(
        whole.shard(),
        whole.nodeId(),
        whole.term(),
        whole.generation(),
        whole.nextOffset() - (IN_SEGMENTS - IN_MANIFEST),
        IN_MANIFEST,
        whole.fenceTerm(),
        IN_MANIFEST - 1,
        whole.files(),
        whole.segmentInfos(),
        data,
        whole.createdMillis());
  }

  private static List<Operation> pulled(long fromSeqNo, long toSeqNo) {
    return LongStream.range(fromSeqNo, toSeqNo)
        .mapToObj(seqNo -> pulled(seqNo, "book-" + seqNo))
        .toList();
  }

  private CompletableFuture<Void> begin(PrimaryCopy follower, Manifest leader) {
    CompletableFuture<Void> started = start(follower);
    await(follower, BootstrapWire.State.AWAITED);
    var _ = follower.bootstrap(ASSIGNMENT, plan(leader));
    return started;
  }

  private static void awaitGate(PrimaryCopy follower) {
    Awaitility.await().atMost(SOON).until(() -> isOpen(follower));
  }

  private static boolean isOpen(PrimaryCopy follower) throws InterruptedException {
    try {
      return follower.cursor().nextSeqNo() >= IN_MANIFEST;
    } catch (ApiException e) {
      return false;
    }
  }

  private void startsWithTheLastOperation(boolean states) throws Exception {
    PrimaryCopy follower = follower("n3");
    CompletableFuture<Void> started = begin(follower, ahead(states));
    awaitGate(follower);

    var _ = follower.replicate(ASSIGNMENT, pulled(IN_MANIFEST, IN_SEGMENTS - 1), SOON);
    assertThat(follower.cursor().nextSeqNo()).isEqualTo(IN_SEGMENTS - 1);
    assertThat(started).as("the log lacks seq_no 49").isNotDone();
    assertThat(follower.searchable()).isEmpty();
    assertThatThrownBy(() -> follower.refresh(SOON)).hasMessageContaining("lacks operations");

    var _ = follower.replicate(ASSIGNMENT, pulled(IN_SEGMENTS - 1, IN_SEGMENTS), SOON);
    started.get(60, TimeUnit.SECONDS);
    assertThat(hits(follower)).isEqualTo(IN_SEGMENTS);
    assertThat(follower.cursor().nextSeqNo()).isEqualTo(IN_SEGMENTS);
  }

  @Test
  void itStartsWhenItsLogHasWhatItsSegmentsHold() throws Exception {
    startsWithTheLastOperation(true);
  }

  @Test
  void theSegmentsOfAReleaseThatDoesNotStateTheirSeqNosAreRead() throws Exception {
    startsWithTheLastOperation(false);
  }

  @Test
  void aPrimaryThatIsOpenedAgainWaitsForTheRest() throws Exception {
    PrimaryCopy first = follower("n3");
    CompletableFuture<Void> started = begin(first, ahead(true));
    awaitGate(first);
    var _ = first.replicate(ASSIGNMENT, pulled(IN_MANIFEST, 45), SOON);
    first.close();
    assertThatThrownBy(() -> started.get(60, TimeUnit.SECONDS)).hasMessageContaining("gate");

    PrimaryCopy second = follower("n3");
    CompletableFuture<Void> again = start(second);
    awaitGate(second);
    assertThat(second.cursor().nextSeqNo()).isEqualTo(45);
    assertThat(again).isNotDone();

    var _ = second.replicate(ASSIGNMENT, pulled(45, IN_SEGMENTS), SOON);
    again.get(60, TimeUnit.SECONDS);
    assertThat(hits(second)).isEqualTo(IN_SEGMENTS);
  }

  @Test
  void itDoesNotStartIfItsIndexIsPromotedBefore() throws Exception {
    PrimaryCopy follower = follower("n3");
    CompletableFuture<Void> started = begin(follower, ahead(true));
    awaitGate(follower);

    FollowRelation follow = new FollowRelation("east", "books", "u", null, 4);
    world.happen(new ClusterEvent.FollowChanged(FOLLOWER.indexUuid(), null, Fork.of(follow)));

    assertThatThrownBy(() -> started.get(60, TimeUnit.SECONDS))
        .hasMessageContaining("when its index was promoted");
    follower.close();
    PrimaryCopy again = follower("n3");
    assertThatThrownBy(again::start).hasMessageContaining("when its index was promoted");
  }

  /** Operations 0 to 4 of an earlier primary, which replayed the leader's log. */
  private void anEarlierPrimaryWrites() throws Exception {
    PartitionLog log = world.operationsOf(FOLLOWER);
    var _ = Appends.await(log, RecordHeader.fence(1, "n4"));
    for (Operation operation : pulled(0, 5)) {
      var _ = Appends.await(log, OperationCodec.encode(operation));
    }
  }

  @Test
  void itRecoversFromItsLogIfAnEarlierPrimaryBeganThatWhileItCopied() throws Exception {
    Manifest leader = ahead(true);
    term = 1;
    PrimaryCopy follower = follower("n3");
    CompletableFuture<Void> started = start(follower);
    await(follower, BootstrapWire.State.AWAITED);
    anEarlierPrimaryWrites();
    var _ = follower.bootstrap(ASSIGNMENT, plan(leader));

    assertThatThrownBy(() -> started.get(60, TimeUnit.SECONDS))
        .hasMessageContaining("another primary began the log");
    follower.close();
    PrimaryCopy again = follower("n3");
    again.start();

    assertThat(hits(again)).as("what the log has").isEqualTo(5);
    assertThat(again.cursor().nextSeqNo()).isEqualTo(5);
    var _ = again.replicate(ASSIGNMENT, pulled(5, 8), SOON);
    assertThat(again.refresh(SOON).visibleSeqNo()).isEqualTo(7);
  }
}
