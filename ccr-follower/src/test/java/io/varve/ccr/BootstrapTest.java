package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.FollowRelation;
import io.varve.events.FollowerLease;
import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.ManifestRecord;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.events.RecordDigest;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.host.ReadAhead;
import io.varve.log.Appends;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import io.varve.rpc.BootstrapWire;
import io.varve.rpc.ReplicateWire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how a puller bootstraps an empty primary. */
@Timeout(180)
class BootstrapTest {
  private static final FollowRelation FOLLOW =
      new FollowRelation("east", "books", "leader", "n1", 1);

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final ShardId LEADER = new ShardId("leader", 0);
  private static final String NODE_URL = "http://127.0.0.1:9301";

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final InMemoryMessageLog log = new InMemoryMessageLog(threads, () -> 0);
  private final PartitionLog leader = log.open("operations", 0);
  private final PartitionLog manifests = log.open("manifests", 0);
  private final AtomicLong nowMillis = new AtomicLong(1_000_000);
  private final List<Long> mappingVersions = new CopyOnWriteArrayList<>();
  private final Beginner follower = new Beginner();

  /** A fake primary that awaits a plan; the test sets its status. */
  private final class Beginner implements ShardPuller.Follower {
    final List<BootstrapWire.Plan> plans = new CopyOnWriteArrayList<>();
    final List<Integer> leasesBeforePlan = new CopyOnWriteArrayList<>();
    final HoldingFollower holder = new HoldingFollower();
    volatile BootstrapWire.Status status = BootstrapWire.Status.awaited("", false);

    @Override
    public Optional<ReplicateWire.Cursor> cursor() {
      return status.state() == BootstrapWire.State.BEGUN ? holder.cursor() : Optional.empty();
    }

    @Override
    public FollowerPrimary.Outcome replicate(long assignment, List<Operation> operations) {
      return holder.replicate(assignment, operations);
    }

    @Override
    public Optional<BootstrapWire.Status> bootstrap() {
      return Optional.of(status);
    }

    @Override
    public void begin(long assignment, BootstrapWire.Plan plan) {
      leasesBeforePlan.add(leases().size());
      Manifest copied = plan.manifest();
      status =
          copied == null
              ? BootstrapWire.Status.BEGUN
              : BootstrapWire.Status.copying(10, 10, false, copied.nextOffset() - 1);
      plans.add(plan);
    }

    void begun(long seqNo) {
      holder.beginAnewAt(seqNo);
      status = BootstrapWire.Status.BEGUN;
    }
  }

  @BeforeEach
  void fillLeader() throws Exception {
    append(leader, RecordHeader.fence(1, "n1"));
    byte[] source = "{}".getBytes(StandardCharsets.UTF_8);
    for (int seqNo = 0; seqNo < 20; seqNo++) {
      append(
          leader,
          OperationCodec.encode(new Operation(1, seqNo, 1, 3, "d" + seqNo, null, source, null)));
    }
  }

  @AfterEach
  void close() {
    log.close();
    threads.shutdownNow();
  }

  private static void append(PartitionLog to, RawRecord record) throws Exception {
    Appends.await(to, record);
  }

  /** The leader has published everything before that seq_no and has truncated its log there. */
  private Manifest publishedAndTruncated(long nextSeqNo) throws Exception {
    Manifest manifest = published(nextSeqNo);
    leader.truncateBefore(nextSeqNo);
    return manifest;
  }

  private Manifest published(long nextSeqNo) throws Exception {
    Manifest manifest =
        new Manifest(
            LEADER,
            "n1",
            1,
            nextSeqNo,
            nextSeqNo + 1,
            nextSeqNo,
            1,
            nextSeqNo - 1,
            List.of(),
            "",
            Map.of(),
            0);
    append(manifests, RawRecord.keyed(manifest.recordKey(), Json.write(manifest)));
    return manifest;
  }

  private List<FollowerLease> leases() {
    List<FollowerLease> found = new ArrayList<>();
    try {
      manifests.read(
          0,
          manifests.endOffset(),
          stored -> {
            if (ManifestRecord.of(stored.record())
                instanceof ManifestRecord.Leased(FollowerLease lease)) {
              found.add(lease);
            }
          });
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return found;
  }

  private ShardPuller puller() {
    return new ShardPuller(
        new ShardId("follower", 0),
        FOLLOW,
        follower,
        () ->
            new ShardPuller.Leader(
                () -> {},
                leader,
                new LeaseKeeper(manifests, LEADER, "holder"),
                new ReadAhead(16 << 20),
                LeaderSegments.of(
                    manifests,
                    new LeaderSegments.LeaderNodes() {
                      @Override
                      public Optional<String> url(String nodeId) {
                        return nodeId.equals("n1") ? Optional.of(NODE_URL) : Optional.empty();
                      }

                      @Override
                      public long mappingVersion() {
                        return 7;
                      }
                    }),
                null),
        mappingVersions::add,
        () -> Instant.ofEpochMilli(nowMillis.get()));
  }

  private void awaitPlans(int count) {
    await().atMost(SOON).until(() -> follower.plans.size() >= count);
  }

  @Test
  void aShortLogIsReplayedFromItsFirstRecord() {
    try (ShardPuller _ = puller()) {
      awaitPlans(1);

      assertThat(follower.plans).containsExactly(BootstrapWire.Plan.REPLAY);
      await().atMost(SOON).until(() -> follower.holder.seqNos().size() == 20);
    }
  }

  @Test
  void aLogIsRetainedFromItsFirstRecordBeforeItIsReplayedThoughAManifestIsPublished()
      throws Exception {
    published(12);

    try (ShardPuller _ = puller()) {
      awaitPlans(1);

      assertThat(follower.plans).containsExactly(BootstrapWire.Plan.REPLAY);
      assertThat(follower.leasesBeforePlan).containsExactly(1);
      assertThat(leases().getFirst().fromOffset()).isZero();
    }
  }

  @Test
  void aTruncatedLogBeginsWithTheManifestAndGoesOnAtItsPosition() throws Exception {
    Manifest manifest = publishedAndTruncated(12);
    StoredRecord[] last = {null};
    leader.read(12, 13, stored -> last[0] = stored);

    try (ShardPuller puller = puller()) {
      awaitPlans(1);
      BootstrapWire.Plan plan = follower.plans.getFirst();
      assertThat(plan)
          .isEqualTo(new BootstrapWire.Plan(manifest, null, NODE_URL, RecordDigest.of(last[0])));
      assertThat(mappingVersions).containsExactly(7L);
      await()
          .atMost(SOON)
          .until(() -> puller.stats().state().equals(PullProgress.State.BOOTSTRAPPING.name()));

      follower.begun(12);

      await().atMost(SOON).until(() -> follower.holder.seqNos().size() == 8);
      assertThat(follower.holder.seqNos().getFirst()).isEqualTo(12);
      await()
          .atMost(SOON)
          .until(() -> puller.stats().state().equals(PullProgress.State.PULLING.name()));
    }
  }

  @Test
  void theLeaseIsTakenAtTheManifestBeforeThePlanAndRenewedWhileFilesAreCopied() throws Exception {
    publishedAndTruncated(12);

    try (ShardPuller _ = puller()) {
      awaitPlans(1);
      assertThat(follower.leasesBeforePlan).containsExactly(1);
      assertThat(leases()).extracting(FollowerLease::fromOffset).containsExactly(12L);

      nowMillis.addAndGet(LeaseKeeper.RENEW_MILLIS);

      await().atMost(SOON).until(() -> leases().size() == 2);
      assertThat(leases()).extracting(FollowerLease::fromOffset).containsOnly(12L);
      assertThat(follower.plans).hasSize(1);
    }
  }

  @Test
  void aPlanThatFailedIsFollowedByOneOfTheNewestManifest() throws Exception {
    publishedAndTruncated(12);

    try (ShardPuller puller = puller()) {
      awaitPlans(1);
      Manifest newer = publishedAndTruncated(15);
      follower.status = BootstrapWire.Status.awaited("snapshot 1.12 is gone", false);

      awaitPlans(2);

      assertThat(follower.plans.getLast().manifest()).isEqualTo(newer);
      await().atMost(SOON).until(() -> puller.stats().lastError().isEmpty());
    }
  }

  @Test
  void aTruncatedLogWithoutAManifestIsWaitedFor() throws Exception {
    leader.truncateBefore(5);

    try (ShardPuller puller = puller()) {
      await().atMost(SOON).until(() -> puller.stats().lastError().contains("no manifest"));
      assertThat(follower.plans).isEmpty();

      publishedAndTruncated(12);

      awaitPlans(1);
    }
  }
}
