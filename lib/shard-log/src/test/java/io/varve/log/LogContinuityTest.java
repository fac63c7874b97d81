package io.varve.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.RawRecord;
import io.varve.events.RecordDigest;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.log.LogContinuity.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Uses a copy that has applied all records before offset 10, the last of which had seq_no 6 of term
 * 3.
 */
class LogContinuityTest {

  private static final LogPosition POSITION = new LogPosition(10, 7, 3, 500);

  private static RawRecord data(long term, long seqNo) {
    return RecordHeader.data(term, seqNo, new byte[] {1}, new byte[] {1});
  }

  private static StoredRecord before(long timestampMillis, RawRecord record) {
    return new StoredRecord(9, timestampMillis, record);
  }

  private static Outcome judge(@Nullable StoredRecord before) {
    return LogContinuity.judge(POSITION, 0, 20, before);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 9, Lost",
    "0, 0, Lost",
    "9, 9, Lost",
    "0, 10, Continues",
    "9, 10, Continues",
    "9, 20, Continues",
    "10, 10, Unverifiable",
    "10, 20, Unverifiable",
    "11, 20, Truncated",
    "11, 11, Truncated"
  })
  void dependsOnWhereTheLogBeginsAndEnds(long start, long end, String outcome) {
    assertThat(LogContinuity.judge(POSITION, start, end, before(500, data(3, 6))))
        .extracting(judged -> judged.getClass().getSimpleName())
        .isEqualTo(outcome);
  }

  @Test
  void aCopyThatHasAppliedNothingNeedsTheLogFromItsFirstRecordOn() {
    LogPosition nothing = new LogPosition(0, 7, 3);
    assertThat(LogContinuity.judge(nothing, 0, 0, null)).isEqualTo(new Outcome.Continues());
    assertThat(LogContinuity.judge(nothing, 0, 9, null)).isEqualTo(new Outcome.Continues());
    assertThat(LogContinuity.judge(nothing, 5, 9, null)).isInstanceOf(Outcome.Truncated.class);
  }

  @Test
  void theFenceOfAPrimaryThatHasWrittenNothingIsItsLastRecord() {
    assertThat(judge(before(500, RecordHeader.fence(3, "n1")))).isEqualTo(new Outcome.Continues());
    assertThat(judge(before(500, RecordHeader.fence(4, "n1")))).isInstanceOf(Outcome.Lost.class);
  }

  @Test
  void anyOtherRecordMeansThatTheLogWasReplaced() {
    assertThat(judge(before(500, data(3, 5)))).isInstanceOf(Outcome.Lost.class);
    assertThat(judge(before(500, data(4, 6)))).isInstanceOf(Outcome.Lost.class);
    assertThat(judge(before(500, RawRecord.keyed(new byte[1], null))))
        .isInstanceOf(Outcome.Lost.class);
    assertThat(judge(before(500, new RawRecord(null, null, new byte[] {(byte) 0xF1}))))
        .isInstanceOf(Outcome.Lost.class);
    assertThat(judge(null)).isInstanceOf(Outcome.Lost.class);
  }

  @Test
  void aTermThatWasGivenAgainAfterARestoreIsKnownByTheTimestamp() {
    assertThat(judge(before(501, data(3, 6)))).isInstanceOf(Outcome.Lost.class);
    assertThat(LogContinuity.judge(new LogPosition(10, 7, 3), 0, 20, before(501, data(3, 6))))
        .isEqualTo(new Outcome.Continues());
  }

  @Test
  void aRecordWhoseHeaderCannotBeReadIsKnownByTheDigest() {
    StoredRecord unreadable =
        before(500, new RawRecord(new byte[] {1}, new byte[] {1}, new byte[] {(byte) 0xF1}));
    LogPosition same = new LogPosition(10, 7, 3, 500, RecordDigest.of(unreadable));
    LogPosition other = new LogPosition(10, 7, 3, 500, RecordDigest.of(unreadable) + 1);

    assertThat(LogContinuity.judge(same, 0, 20, unreadable)).isEqualTo(new Outcome.Continues());
    assertThat(LogContinuity.judge(other, 0, 20, unreadable)).isInstanceOf(Outcome.Lost.class);
    assertThat(judge(unreadable)).isInstanceOf(Outcome.Lost.class);
  }

  @Test
  void aRecordWithTheSameTimestampIsKnownByTheDigest() {
    long digest = RecordDigest.of(before(500, data(3, 6)));
    LogPosition position = new LogPosition(10, 7, 3, LogPosition.UNKNOWN, digest);
    assertThat(LogContinuity.judge(position, 0, 20, before(500, data(3, 6))))
        .isEqualTo(new Outcome.Continues());
    RawRecord other = RecordHeader.data(3, 6, new byte[] {2}, new byte[] {1});
    assertThat(LogContinuity.judge(position, 0, 20, before(500, other)))
        .isInstanceOf(Outcome.Lost.class);
    assertThat(LogContinuity.judge(position, 0, 20, before(501, data(3, 6))))
        .isInstanceOf(Outcome.Lost.class);
  }

  @Test
  void theReasonNamesWhatWasExpectedWhatWasFoundAndHowFarTheLogReaches() {
    assertThat(((Outcome.Lost) judge(before(500, data(4, 2)))).reason())
        .contains("seq_no 6", "term 3", "offset 9", "seq_no 2 of term 4", "ends at offset 20");
    assertThat(((Outcome.Lost) LogContinuity.judge(POSITION, 0, 8, null)).reason())
        .contains("offset 9", "seq_no 6", "ends at offset 8");
  }

  @Test
  void readsTheRecordBeforeThePosition() throws Exception {
    InMemoryMessageLog logs = new InMemoryMessageLog(Runnable::run, () -> 500);
    PartitionLog log = logs.open("ops", 0);
    for (RawRecord record : new RawRecord[] {RecordHeader.fence(3, "n1"), data(3, 0), data(3, 1)}) {
      PartitionLogContract.append(log, record).join();
    }
    LogPosition position = new LogPosition(3, 2, 3, 500);
    assertThat(LogContinuity.check(log, position)).isEqualTo(new Outcome.Continues());

    log.truncateBefore(3);
    assertThat(LogContinuity.check(log, position)).isEqualTo(new Outcome.Unverifiable());
    assertThatThrownBy(() -> LogContinuity.require(log, new LogPosition(2, 1, 3, 500)))
        .isInstanceOf(LogException.OutOfRange.class);

    logs.cutEnd("ops", 0, 3);
    assertThatThrownBy(() -> LogContinuity.require(log, new LogPosition(4, 3, 3, 500)))
        .isInstanceOf(LogException.Lost.class)
        .hasMessageContaining("topic ops, partition 0");
  }

  @Test
  void afterARevivalEveryCopyOfAnEarlierTermIsOnlyBehind() throws Exception {
    InMemoryMessageLog logs = new InMemoryMessageLog(Runnable::run, () -> 500);
    PartitionLog log = logs.open("ops", 0);
    for (RawRecord record :
        new RawRecord[] {
          RecordHeader.fence(3, "n1"),
          data(3, 0),
          RecordHeader.revival(4, 7, "n1"),
          RecordHeader.fence(5, "n1")
        }) {
      PartitionLogContract.append(log, record).join();
    }
    LogPosition beyond = new LogPosition(9, 7, 3, 500);
    LogPosition revived = new LogPosition(3, 7, 4);
    assertThat(LogContinuity.check(log, beyond)).isInstanceOf(Outcome.Lost.class);
    assertThat(LogBeginning.of(log)).isEqualTo(new LogBeginning(0, 0, 3));

    log.truncateBefore(2);

    assertThat(LogContinuity.check(log, beyond)).isInstanceOf(Outcome.Truncated.class);
    assertThat(LogContinuity.check(log, revived)).isEqualTo(new Outcome.Continues());
    LogBeginning beginning = LogBeginning.of(log);
    assertThat(beginning).isEqualTo(new LogBeginning(3, 4, 4));
    assertThat(beginning.mayBeRevivedAfter(3)).isTrue();
    assertThat(beginning.mayBeRevivedAfter(4)).isFalse();
    assertThat(beginning.isBehind(beyond)).isTrue();
    assertThat(beginning.isBehind(new LogPosition(2, 1, 3))).isTrue();
    assertThat(beginning.isBehind(new LogPosition(0, 0, 0))).isTrue();
    assertThat(beginning.isBehind(revived)).isFalse();
    assertThat(beginning.isBehind(new LogPosition(4, 7, 5))).isFalse();
    assertThat(LogContinuity.check(log, new LogPosition(4, 7, 6, 500)))
        .as("of another history that knows later terms")
        .isInstanceOf(Outcome.Lost.class);
  }
}
