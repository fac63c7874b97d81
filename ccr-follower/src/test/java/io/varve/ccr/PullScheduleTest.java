package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.ccr.ArrivedBatches.Arrived;
import io.varve.ccr.PullSchedule.Step;
import io.varve.cluster.FollowParameters;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.events.RecordDigest;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.rpc.PullerStats;
import io.varve.rpc.ReplicateWire;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests the order of the steps of a pull. Operation n of the leader is at offset n + 1. */
class PullScheduleTest {

  private static final LeaderHistory.Outcome SAME = new LeaderHistory.Outcome.Same();
  private static final Arrived UNREADABLE = new Arrived.Unreadable(6, 1, "unreadable");

  private long nowMillis = 1_000_000;
  private final PullProgress progress = new PullProgress(new ShardId("follower", 0), nowMillis);
  private final PullSchedule schedule =
      new PullSchedule(
          new ReplicateWire.Cursor(4, 1, 4, 3, 3, 0, null),
          progress,
          () -> Instant.ofEpochMilli(nowMillis),
          new FollowParameters(10, 1 << 20, 12, 3, 1 << 20, 9, 1_000, 1 << 20, 500, 60_000));

  private static StoredRecord operation(long seqNo) {
    byte[] source = "{}".getBytes(StandardCharsets.UTF_8);
    Operation operation = new Operation(1, seqNo, 1, 7, "d" + seqNo, null, source, null);
    return new StoredRecord(seqNo + 1, 0, OperationCodec.encode(operation));
  }

  private static Arrived.Records batch(long from, long to, boolean afterInterruption) {
    List<StoredRecord> records =
        LongStream.range(from, to).mapToObj(PullScheduleTest::operation).toList();
    return new Arrived.Records(records, to + 1, afterInterruption);
  }

  private static ReplicateWire.Answer held(long seqNo) {
    return new ReplicateWire.Answer(seqNo + 1, 1, seqNo, 1);
  }

  private String state() {
    return progress.stats(nowMillis).state();
  }

  /** Starts a pull at the cursor; the leader's end offset was just requested. */
  private void follow() {
    assertThat(schedule.begin())
        .isInstanceOfSatisfying(
            Step.Compare.class, step -> assertThat(step.held().nextOffset()).isEqualTo(5));
    assertThat(schedule.compared(SAME)).isEqualTo(new Step.RenewLease(4));
    assertThat(schedule.renewed(true))
        .isInstanceOfSatisfying(
            Step.Follow.class, step -> assertThat(step.fromOffset()).isEqualTo(5));
    assertThat(schedule.follows()).isInstanceOf(Step.Await.class);
    assertThat(schedule.arrived(null)).isEqualTo(new Step.RenewLease(4));
    assertThat(schedule.renewed(false)).isEqualTo(new Step.RequestEnd());
    assertThat(schedule.end(5)).isInstanceOf(Step.Await.class);
    assertThat(state()).isEqualTo("PULLING");
  }

  private Step afterRenewal(Arrived next) {
    schedule.arrived(next);
    return schedule.renewed(false);
  }

  private static List<Long> seqNos(Step step) {
    return ((Step.Send) step).operations().stream().map(Operation::seqNo).toList();
  }

  @Test
  void aPrimaryThatHoldsMoreThanWasSentIsAskedForItsCursor() {
    follow();
    afterRenewal(batch(4, 6, false));
    assertThat(schedule.held(held(9))).isInstanceOf(Step.RequestCursor.class);
  }

  @Test
  void aBatchIsSentInRequestsOfLimitedSize() {
    follow();
    Step first = afterRenewal(batch(4, 8, false));
    assertThat(seqNos(first)).containsExactly(4L, 5L, 6L);
    assertThat(((Step.Send) first).mappingVersion()).isEqualTo(7);
    Step second = schedule.held(held(6));
    assertThat(seqNos(second)).containsExactly(7L);
    assertThat(schedule.held(held(7))).isInstanceOf(Step.Await.class);
    assertThat(schedule.carried()).isTrue();
    assertThat(schedule.arrived(null)).as("keeps the last held").isEqualTo(new Step.RenewLease(8));
  }

  @Test
  void nothingIsSentAfterAnInterruptionBeforeTheHistoryIsCompared() {
    follow();
    assertThat(afterRenewal(batch(4, 6, true))).isInstanceOf(Step.Compare.class);
    assertThat(seqNos(schedule.compared(SAME))).containsExactly(4L, 5L);
  }

  @Test
  void recordsThatWereRejectedBeforeAnInterruptionAreReadAgain() {
    follow();
    assertThat(afterRenewal(batch(4, 4, false))).isInstanceOf(Step.Await.class);
    Arrived rejected = new Arrived.Records(List.of(), 9, false);
    assertThat(afterRenewal(rejected)).isInstanceOf(Step.Await.class);
    assertThat(afterRenewal(batch(9, 11, true))).isInstanceOf(Step.Compare.class);
    assertThat(schedule.compared(SAME)).isEqualTo(new Step.RequestCursor());
  }

  @Test
  void nothingIsSentOfAnotherHistory() {
    follow();
    afterRenewal(batch(4, 6, true));
    assertThat(schedule.compared(new LeaderHistory.Outcome.Lost("other")))
        .isEqualTo(new Step.Lost("other", true));
    assertThat(state()).isEqualTo("LOST");
    assertThat(schedule.carried()).isFalse();
  }

  @Test
  void aLostHistoryIsNewOnlyOnce() {
    schedule.begin();
    assertThat(schedule.compared(new LeaderHistory.Outcome.Lost("other")))
        .isEqualTo(new Step.Lost("other", true));
    schedule.begin();
    assertThat(schedule.compared(new LeaderHistory.Outcome.Lost("other")))
        .isEqualTo(new Step.Lost("other", false));
  }

  @Test
  void theHistoryIsComparedWithEachRenewalOfTheLease() {
    follow();
    schedule.arrived(null);
    assertThat(schedule.renewed(true)).isInstanceOf(Step.Compare.class);
    assertThat(schedule.compared(SAME)).isInstanceOf(Step.Await.class);
  }

  @Test
  void theLeadersEndIsRequestedEachSecondWhileIdle() {
    follow();
    nowMillis += 999;
    assertThat(afterRenewal(batch(4, 4, false))).isInstanceOf(Step.Await.class);
    nowMillis += 1;
    assertThat(afterRenewal(batch(4, 4, false))).isEqualTo(new Step.RequestEnd());
  }

  @Test
  void anEndBeforeWhatIsHeldIsComparedAtOnce() {
    follow();
    nowMillis += 1_000;
    schedule.arrived(null);
    schedule.renewed(false);
    assertThat(schedule.end(3)).isInstanceOf(Step.Compare.class);
    assertThat(schedule.compared(SAME)).isInstanceOf(Step.Await.class);
  }

  @Test
  void whatIsNotHeldEndsTheReading() {
    follow();
    afterRenewal(batch(4, 8, false));
    assertThat(schedule.notHeld(PullProgress.State.REFUSED, "400"))
        .isEqualTo(new Step.RequestCursor());
    assertThat(state()).isEqualTo("REFUSED");
    assertThat(progress.stats(nowMillis).lastError()).isEqualTo("400");
  }

  @Test
  void aPositionThatTheLogDoesNotHaveIsALostHistory() {
    follow();
    assertThat(afterRenewal(new Arrived.Lost("truncated"))).isInstanceOf(Step.Compare.class);
    assertThat(schedule.compared(new LeaderHistory.Outcome.Lost("truncated")))
        .isEqualTo(new Step.Lost("truncated", true));
  }

  @Test
  void aRecordThatCannotBeReadIsNoLostHistory() {
    follow();
    assertThat(afterRenewal(UNREADABLE)).isInstanceOf(Step.Compare.class);
    assertThat(schedule.compared(SAME)).isEqualTo(new Step.RequestCursor());
    assertThat(state()).isEqualTo("REFUSED");
    assertThat(progress.stats(nowMillis).lastError()).isEqualTo("unreadable");
    assertThat(progress.stats(nowMillis).refused())
        .as("an operator can skip it")
        .isEqualTo(new PullerStats.Refused(6, 4));
  }

  /** The record at offset 6, where operation 4 or nothing is. */
  private static StoredRecord unreadable() {
    RawRecord record = operation(5).record();
    byte[] header = record.header().clone();
    header[0] = (byte) 0xF1;
    return new StoredRecord(6, 0, new RawRecord(record.key(), record.value(), header));
  }

  private static StoredRecord at(long offset, long seqNo) {
    return new StoredRecord(offset, 0, operation(seqNo).record());
  }

  private PullSchedule atTheSkippedRecordThatCannotBeRead() {
    PullSchedule skipping = skippingTheOperationAtOffset6();
    skipping.arrived(UNREADABLE);
    skipping.renewed(false);
    assertThat(skipping.end(9)).isInstanceOf(Step.Compare.class);
    assertThat(skipping.compared(SAME)).isEqualTo(new Step.ReadFrom(6));
    return skipping;
  }

  @Test
  void aSkippedRecordThatCannotBeReadIsADeleteIfTheRecordsBehindItLackItsSeqNo() {
    PullSchedule skipping = atTheSkippedRecordThatCannotBeRead();

    Step step = skipping.recordsFrom(List.of(unreadable(), at(7, 5)));

    List<Operation> sent = ((Step.Send) step).operations();
    assertThat(sent).extracting(Operation::seqNo).containsExactly(4L);
    assertThat(sent.getFirst().id()).isEqualTo("d5");
    assertThat(sent.getFirst().isDelete()).isTrue();
    assertThat(sent.getFirst().origin())
        .isEqualTo(new Operation.Origin(6, 1, RecordDigest.of(unreadable())));
    assertThat(skipping.held(held(4))).as("the reader ended").isEqualTo(new Step.RequestCursor());
  }

  @Test
  void aSkippedRecordThatCannotBeReadIsPassedIfTheRecordsBehindItHaveItsSeqNo() {
    PullSchedule skipping = atTheSkippedRecordThatCannotBeRead();

    Step step = skipping.recordsFrom(List.of(unreadable(), at(7, 4)));

    assertThat(step)
        .isInstanceOfSatisfying(
            Step.Follow.class,
            follow -> {
              assertThat(follow.fromOffset()).isEqualTo(7);
              assertThat(follow.fence().nextSeqNo()).isEqualTo(4);
              assertThat(follow.fence().term()).isEqualTo(1);
            });
    assertThat(skipping.follows()).isInstanceOf(Step.Await.class);
  }

  @Test
  void aSkippedRecordThatCannotBeReadWaitsForTheRecordsBehindIt() {
    PullSchedule skipping = atTheSkippedRecordThatCannotBeRead();

    assertThat(skipping.recordsFrom(List.of(unreadable()))).isEqualTo(new Step.RequestCursor());

    assertThat(state()).isEqualTo("REFUSED");
    assertThat(progress.stats(nowMillis).lastError()).contains("unreadable", "after it");
  }

  /** Operation 5, with flags that no release knows. */
  private static StoredRecord undecodable() {
    RawRecord record = operation(5).record();
    byte[] header = record.header().clone();
    int flags = 3;
    header[flags] = 0x40;
    return new StoredRecord(6, 0, new RawRecord(record.key(), record.value(), header));
  }

  private PullSchedule skippingTheOperationAtOffset6() {
    PullSchedule skipping =
        new PullSchedule(
            new ReplicateWire.Cursor(4, 1, 4, 3, 3, 0, null),
            progress,
            () -> Instant.ofEpochMilli(nowMillis),
            new FollowParameters(10, 1 << 20, 12, 3, 1 << 20, 9, 1_000, 1 << 20, 500, 60_000),
            6);
    skipping.begin();
    skipping.compared(SAME);
    skipping.renewed(true);
    skipping.follows();
    return skipping;
  }

  @Test
  void aSkippedOperationIsSentAsADeleteOfItsDocumentWithItsSeqNoAndOrigin() {
    PullSchedule skipping = skippingTheOperationAtOffset6();
    skipping.arrived(batch(4, 7, false));
    skipping.renewed(false);

    List<Operation> sent = ((Step.Send) skipping.end(5)).operations();

    assertThat(sent).extracting(Operation::seqNo).containsExactly(4L, 5L, 6L);
    assertThat(sent).extracting(Operation::isDelete).containsExactly(false, true, false);
    assertThat(sent.get(1).id()).isEqualTo("d5");
    assertThat(sent.get(1).origin())
        .isEqualTo(new Operation.Origin(6, 1, RecordDigest.of(operation(5))));
  }

  @Test
  void aRecordThatCannotBeDecodedIsRefusedAfterTheOperationsBeforeItAreHeld() {
    follow();
    List<StoredRecord> records = List.of(operation(4), undecodable(), operation(6));
    assertThat(seqNos(afterRenewal(new Arrived.Records(records, 8, false)))).containsExactly(4L);

    assertThat(schedule.held(held(4))).isEqualTo(new Step.RequestCursor());

    assertThat(state()).isEqualTo("REFUSED");
    assertThat(progress.stats(nowMillis).refused()).isEqualTo(new PullerStats.Refused(6, 5));
    assertThat(progress.stats(nowMillis).lastError())
        .contains("offset 6", "seq_no 5", "can't be decoded");
  }

  @Test
  void nothingIsSentIfTheFirstRecordCannotBeDecoded() {
    follow();
    assertThat(afterRenewal(new Arrived.Records(List.of(undecodable()), 7, false)))
        .isEqualTo(new Step.RequestCursor());
    assertThat(state()).isEqualTo("REFUSED");
  }

  @Test
  void aSkippedRecordThatCannotBeDecodedIsSentAsADelete() {
    PullSchedule skipping = skippingTheOperationAtOffset6();
    skipping.arrived(
        new Arrived.Records(List.of(operation(4), undecodable(), operation(6)), 8, false));
    skipping.renewed(false);

    List<Operation> sent = ((Step.Send) skipping.end(5)).operations();

    assertThat(sent).extracting(Operation::seqNo).containsExactly(4L, 5L, 6L);
    assertThat(sent.get(1).id()).isEqualTo("d5");
    assertThat(sent.get(1).isDelete()).isTrue();
    assertThat(sent.get(1).origin())
        .isEqualTo(new Operation.Origin(6, 1, RecordDigest.of(undecodable())));
  }

  @Test
  void aRefusedOperationIsShownUntilOperationsAreHeldAgain() {
    follow();
    afterRenewal(batch(4, 8, false));
    schedule.notHeld(PullProgress.State.REFUSED, "400");
    progress.refused(new PullerStats.Refused(6, 5));
    assertThat(progress.stats(nowMillis).refused()).isEqualTo(new PullerStats.Refused(6, 5));

    progress.held(held(5), 1);

    assertThat(progress.stats(nowMillis).refused()).isNull();
  }
}
