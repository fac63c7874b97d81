package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.ccr.PullProgress.State;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.rpc.PullerStats;
import io.varve.rpc.ReplicateWire;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests the state that a puller reports while its attempts fail and succeed. */
class PullProgressTest {

  private static final ReplicateWire.Cursor CURSOR =
      new ReplicateWire.Cursor(9, 1, 8, 7, 7, 0, null);

  private static final ArrivedBatches.Buffered BUFFERED = new ArrivedBatches.Buffered(2, 3, 900);

  private final PullProgress progress = new PullProgress(new ShardId("follower", 0), 1_000);

  private State state() {
    return State.valueOf(progress.stats(2_000).state());
  }

  @Test
  void waitsUntilItReads() {
    assertThat(state()).isEqualTo(State.WAITING);
    progress.cursor(CURSOR);
    assertThat(state()).isEqualTo(State.WAITING);
    progress.arriving(() -> BUFFERED);
    progress.resumed();
    assertThat(state()).isEqualTo(State.PULLING);
  }

  @Test
  void staysLostWhileNothingIsProvenToBeHeld() {
    assertThat(progress.lost("restored")).isTrue();
    assertThat(progress.lost("restored")).as("the same again").isFalse();

    progress.cursor(CURSOR);
    progress.arriving(() -> BUFFERED);
    progress.resumed();
    progress.leaderEnd(20, 1_500);

    assertThat(state()).isEqualTo(State.LOST);
    assertThat(progress.stats(2_000).lastError()).isEqualTo("restored");
  }

  @Test
  void isNoLongerLostOnceOperationsAreHeldOrTheLeadersEndIsReached() {
    progress.lost("restored");
    progress.held(new ReplicateWire.Answer(10, 1, 8, 1), 1);
    assertThat(state()).isEqualTo(State.PULLING);

    progress.lost("restored");
    progress.cursor(CURSOR);
    progress.arriving(() -> BUFFERED);
    progress.resumed();
    progress.leaderEnd(10, 1_500);
    assertThat(state()).isEqualTo(State.PULLING);
    assertThat(progress.stats(2_000).lastError()).isEmpty();
  }

  @Test
  void theLagIsNeverZeroWhileTheLeaderIsAway() {
    progress.cursor(CURSOR);
    progress.arriving(() -> BUFFERED);
    progress.resumed();
    progress.leaderEnd(10, 1_500);
    assertThat(progress.stats(1_500).lagMillis()).isZero();

    progress.failed(State.WAITING, "the leader does not answer");
    progress.cursor(CURSOR);

    assertThat(progress.stats(9_500).lagMillis()).isEqualTo(8_000);
  }

  @Test
  void theLeaderIsAsFarAsTheEndOfItsLog() {
    progress.cursor(CURSOR);
    assertThat(progress.stats(1_500).lagOperations()).as("after a restart").isZero();

    progress.leaderEnd(30, 1_500);

    PullerStats behind = progress.stats(2_000);
    assertThat(behind.leaderMaxSeqNo()).as("20 records from offset 10 on").isEqualTo(27);
    assertThat(behind.followerMaxSeqNo()).isEqualTo(7);
    assertThat(behind.lagOperations()).isEqualTo(20);
    assertThat(behind.lastRequestedSeqNo()).isEqualTo(7);
  }

  @Test
  void aFollowerIsNeverAheadOfALeaderWhoseLogEndsBefore() {
    progress.cursor(CURSOR);
    progress.leaderEnd(3, 1_500);

    assertThat(progress.stats(2_000).leaderMaxSeqNo()).isEqualTo(7);
    assertThat(progress.stats(2_000).lagOperations()).isZero();
  }

  @Test
  void readsAndWritesAreCounted() {
    progress.arriving(() -> BUFFERED);
    progress.resumed();
    progress.read(List.of(operation(0, 0), operation(1, 1)), 2, 1_100, 40);
    progress.read(List.of(), 3, 1_200, 50);
    progress.sending();
    assertThat(activity().outstandingWrites()).isEqualTo(1);
    progress.sent(25);
    progress.held(new ReplicateWire.Answer(1, 1, 1, 1), 2);
    progress.gap();
    progress.failedWrite(State.WAITING, "a gap");
    progress.failedRead("the leader is away");

    assertThat(progress.stats(1_300).successfulReadRequests())
        .as("reads without operations do not count")
        .isEqualTo(1);
    long bytes = (long) operation(0, 0).record().sizeBytes() + operation(1, 1).record().sizeBytes();
    assertThat(progress.stats(1_300).bytesRead()).isEqualTo(bytes);
    assertThat(activity())
        .isEqualTo(new PullerStats.Activity(2, 0, 3, 900, 40, 25, 1, 2, 900, 1, 1));

    progress.leaderEnd(13, 1_300);
    assertThat(activity().lagBytes())
        .as("ten records of the mean size, and what is buffered")
        .isEqualTo(900 + 10 * (bytes / 2));
  }

  private PullerStats.Activity activity() {
    return Objects.requireNonNull(progress.stats(2_000).activity());
  }

  private static StoredRecord operation(long offset, long seqNo) {
    byte[] source = "{}".getBytes(StandardCharsets.UTF_8);
    return new StoredRecord(
        offset,
        0,
        OperationCodec.encode(new Operation(1, seqNo, 1, 0, "d" + seqNo, null, source, null)));
  }
}
