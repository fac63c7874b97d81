package io.varve.ccr;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.events.RecordDigest;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.log.Appends;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogPosition;
import io.varve.log.PartitionLog;
import io.varve.rpc.ReplicateWire;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A follower holds seq_nos 0 to 3 of term 1, at the offsets 1 to 4. Its leader's log is restored
 * from a copy that ends before offset 3, and written again.
 */
class LeaderHistoryTest {

  private static final int HELD = 4;

  private final AtomicLong nowMillis = new AtomicLong(500);
  private final InMemoryMessageLog logs = new InMemoryMessageLog(Runnable::run, nowMillis::get);
  private final PartitionLog log = logs.open("operations", 0);
  private ReplicateWire.Cursor cursor = new ReplicateWire.Cursor(-1, 0, 0, -1, -1, 0, null);

  @BeforeEach
  void fill() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    for (int seqNo = 0; seqNo < HELD; seqNo++) {
      append(operation(1, seqNo));
    }
    StoredRecord[] last = {null};
    log.read(HELD, HELD + 1, stored -> last[0] = stored);
    cursor = new ReplicateWire.Cursor(HELD, 1, HELD, 3, 3, 0, RecordDigest.of(last[0]));
  }

  private void append(RawRecord record) throws Exception {
    Appends.await(log, record);
  }

  private static RawRecord operation(long term, long seqNo) {
    byte[] source = "{}".getBytes(UTF_8);
    return OperationCodec.encode(new Operation(term, seqNo, 1, 0, "d", null, source, null));
  }

  private void restore() {
    logs.cutEnd("operations", 0, 3);
    nowMillis.addAndGet(3_600_000);
  }

  private LeaderHistory.Outcome check(ReplicateWire.Cursor of) throws Exception {
    return LeaderHistory.check(log, LeaderHistory.after(of));
  }

  private void assertSame() throws Exception {
    assertThat(check(cursor)).isEqualTo(new LeaderHistory.Outcome.Same());
  }

  private void assertLost(String... reason) throws Exception {
    assertThat(check(cursor))
        .isInstanceOfSatisfying(
            LeaderHistory.Outcome.Lost.class, lost -> assertThat(lost.reason()).contains(reason));
  }

  @Test
  void isTheSameWhileTheLeaderGoesOn() throws Exception {
    assertSame();
    append(operation(1, HELD));
    append(RecordHeader.fence(2, "n2"));
    assertSame();
  }

  @Test
  void isTheSameWhenRetentionRemovedNoLaterRecord() throws Exception {
    append(operation(1, HELD));
    log.truncateBefore(HELD);
    assertSame();
    log.truncateBefore(HELD + 1);
    assertSame();
  }

  @Test
  void isLostWhenRetentionRemovedWhatTheFollowerLacks() throws Exception {
    append(operation(1, HELD));
    append(operation(1, HELD + 1));
    log.truncateBefore(HELD + 2);
    assertLost("begins at offset 6");
  }

  @Test
  void aFollowerThatHoldsNothingNeedsTheFirstRecord() throws Exception {
    cursor = new ReplicateWire.Cursor(-1, 0, 0, -1, -1, 0, null);
    assertSame();
    log.truncateBefore(1);
    assertLost("begins at offset 1");
  }

  @Test
  void aRestoredLeaderThatIsIdleIsNoticed() throws Exception {
    restore();
    assertLost("log ends at offset 3");
  }

  @Test
  void aRestoredLeaderThatWritesInANewTermIsNoticed() throws Exception {
    restore();
    append(RecordHeader.fence(2, "n1"));
    append(operation(2, 2));
    append(operation(2, 3));
    assertLost("seq_no 3 of term 1", "seq_no 2 of term 2");
  }

  @Test
  void aRestoredLeaderThatGetsTheSameTermAgainIsNoticed() throws Exception {
    restore();
    append(operation(1, 2));
    append(operation(1, 3));
    assertLost("another digest");
  }

  @Test
  void withoutADigestOnlyOffsetTermAndSeqNoAreCompared() throws Exception {
    cursor = new ReplicateWire.Cursor(HELD, 1, HELD, 3, 3, 0, null);
    restore();
    append(operation(1, 2));
    append(operation(1, 3));
    assertSame();
    append(operation(1, 4));
    cursor = new ReplicateWire.Cursor(HELD + 1, 1, HELD, 3, 3, 0, null);
    assertLost("seq_no 4 of term 1");
  }

  @Test
  void theCursorAndTheOperationThatWasCarriedOverGiveTheSamePosition() {
    Operation.Origin origin = new Operation.Origin(HELD, 1, 77);
    Operation carried = new Operation(1, 3, 1, 0, "d", null, null, origin);
    LogPosition position = LeaderHistory.after(carried);
    assertThat(position).isEqualTo(new LogPosition(HELD + 1, 4, 1, LogPosition.UNKNOWN, 77));
    assertThat(LeaderHistory.after(new ReplicateWire.Cursor(HELD, 1, 4, 3, 3, 0, 77L)))
        .isEqualTo(position);
  }
}
