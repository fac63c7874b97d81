package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.log.Appends;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import io.varve.rpc.PullerStats;
import io.varve.rpc.ReplicateWire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A follower was away for so long that its lease ended, and the leader forgot operations that it
 * lacks: it says so, carries nothing over a gap, and goes on from what it is given anew.
 */
@Timeout(180)
class LostHistoryTest {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int OPERATIONS = 10;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final InMemoryMessageLog log = new InMemoryMessageLog(threads, System::currentTimeMillis);
  private final PartitionLog leader = log.open("operations", 0);
  private final Holder follower = new Holder();

  /** Holds what it was sent, without gaps. */
  private static final class Holder implements ShardPuller.Follower {
    private final List<Long> seqNos = new ArrayList<>();
    private ReplicateWire.Cursor cursor = new ReplicateWire.Cursor(-1, 0, 0, -1, -1, 0);

    @Override
    public synchronized Optional<ReplicateWire.Cursor> cursor() {
      return Optional.of(cursor);
    }

    /** The leader's snapshot of all before that operation, which stands one behind its fence. */
    synchronized void beginAnewAt(long seqNo) {
      cursor = new ReplicateWire.Cursor(seqNo, 1, seqNo, seqNo - 1, seqNo - 1, 0);
    }

    @Override
    public synchronized FollowerPrimary.Outcome replicate(long to, List<Operation> operations) {
      operations.forEach(operation -> seqNos.add(operation.seqNo()));
      long last = seqNos.getLast();
      return new FollowerPrimary.Outcome.Held(
          new ReplicateWire.Answer(last + 1, 1, last, operations.size()));
    }

    synchronized List<Long> seqNos() {
      return List.copyOf(seqNos);
    }
  }

  @BeforeEach
  void fillLeader() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    for (int seqNo = 0; seqNo < OPERATIONS; seqNo++) {
      byte[] source = "{}".getBytes(StandardCharsets.UTF_8);
      append(OperationCodec.encode(new Operation(1, seqNo, 1, 0, "d" + seqNo, null, source, null)));
    }
  }

  private void append(RawRecord record) throws Exception {
    Appends.await(leader, record);
  }

  @AfterEach
  void close() {
    log.close();
    threads.shutdownNow();
  }

  private ShardPuller puller() {
    ShardId shard = new ShardId("followed", 0);
    return new ShardPuller(
        shard,
        1,
        follower,
        () ->
            new ShardPuller.Leader(
                new InMemoryMessageLog(threads, System::currentTimeMillis),
                leader,
                new LeaseKeeper(null, shard, "follower")),
        mappingVersion -> {},
        InstantSource.system());
  }

  private static PullerStats awaitState(ShardPuller puller, PullProgress.State state) {
    Awaitility.await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(puller.stats().state()).isEqualTo(state.name()));
    return puller.stats();
  }

  @Test
  void carriesNothingOverAGap() throws Exception {
    leader.truncateBefore(6);

    try (ShardPuller puller = puller()) {
      PullerStats stats = awaitState(puller, PullProgress.State.LOST);

      assertThat(stats.lastError()).isNotEmpty();
      assertThat(follower.seqNos()).isEmpty();
    }
  }

  @Test
  void goesOnFromWhatItIsGivenAnew() throws Exception {
    leader.truncateBefore(6);
    try (ShardPuller puller = puller()) {
      awaitState(puller, PullProgress.State.LOST);

      follower.beginAnewAt(5);

      awaitState(puller, PullProgress.State.PULLING);
      Awaitility.await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(follower.seqNos()).containsExactly(5L, 6L, 7L, 8L, 9L));
    }
  }
}
