package io.varve.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.LogPosition;
import io.varve.log.TermFence;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FenceHistoryTest {

  private static final byte[] BYTES = new byte[0];

  private static RawRecord data(long term, long seqNo) {
    return RecordHeader.data(term, seqNo, BYTES, BYTES);
  }

  private static FenceHistory ofALogWithALateWriter() {
    FenceHistory history = new FenceHistory(new LogPosition(0, 0, 0));
    assertThat(history.judge(0, RecordHeader.fence(1, "a"))).isEqualTo(TermFence.Verdict.FENCE_WON);
    assertThat(history.judge(1, data(1, 0))).isEqualTo(TermFence.Verdict.ACCEPTED);
    assertThat(history.judge(2, data(1, 1))).isEqualTo(TermFence.Verdict.ACCEPTED);
    assertThat(history.judge(3, RecordHeader.fence(2, "b"))).isEqualTo(TermFence.Verdict.FENCE_WON);
    assertThat(history.judge(4, data(1, 2))).isEqualTo(TermFence.Verdict.STALE_TERM);
    assertThat(history.judge(5, data(2, 2))).isEqualTo(TermFence.Verdict.ACCEPTED);
    return history;
  }

  @Test
  void theStateIsKnownAtEveryOffsetUpToTheLastRecord() {
    FenceHistory history = ofALogWithALateWriter();

    assertThat(history.at(0)).isEqualTo(new LogPosition(0, 0, 0));
    assertThat(history.at(1)).isEqualTo(new LogPosition(1, 0, 1));
    assertThat(history.at(2)).isEqualTo(new LogPosition(2, 1, 1));
    assertThat(history.at(4)).isEqualTo(new LogPosition(4, 2, 2));
    assertThat(history.at(5)).isEqualTo(new LogPosition(5, 2, 2));
    assertThat(history.at(6)).isEqualTo(new LogPosition(6, 3, 2));
    assertThat(history.covers(7)).isFalse();
    assertThatThrownBy(() -> history.at(7)).hasMessageContaining("0 to 6");
  }

  @Test
  void aRecordThatIsDeliveredAgainIsJudgedAsBefore() {
    FenceHistory history = ofALogWithALateWriter();

    assertThat(history.judge(2, data(1, 1))).isEqualTo(TermFence.Verdict.ACCEPTED);
    assertThat(history.judge(4, data(1, 2))).isEqualTo(TermFence.Verdict.STALE_TERM);
    assertThat(history.judge(5, data(2, 2))).isEqualTo(TermFence.Verdict.ACCEPTED);
    assertThat(history.judge(6, data(2, 3))).isEqualTo(TermFence.Verdict.ACCEPTED);
  }

  @Test
  void theStatesBeforeACommittedOffsetAreForgotten() {
    FenceHistory history = ofALogWithALateWriter();

    history.forgetBefore(5);
    history.forgetBefore(2);

    assertThat(history.covers(4)).isFalse();
    assertThat(history.at(5)).isEqualTo(new LogPosition(5, 2, 2));
    assertThat(history.at(6)).isEqualTo(new LogPosition(6, 3, 2));
  }

  @Test
  void recordsBeforeTheFirstKnownStateAreTold() {
    FenceHistory history = new FenceHistory(7, new LogPosition(10, 4, 2));

    assertThat(history.isBeforeKnown(6)).isFalse();
    assertThat(history.isBeforeKnown(7)).isTrue();
    assertThat(history.isBeforeKnown(10)).isFalse();
    assertThat(history.covers(9)).isFalse();
    assertThat(history.judge(10, data(2, 4))).isEqualTo(TermFence.Verdict.ACCEPTED);
  }

  @Test
  void manyRejectedRecordsLetTheOldestStatesBeForgotten() {
    FenceHistory history = new FenceHistory(new LogPosition(0, 0, 1));
    for (int offset = 0; offset < FenceHistory.MOST_RUNS + 5; offset++) {
      assertThat(history.judge(offset, data(9, 9))).isEqualTo(TermFence.Verdict.STALE_TERM);
    }

    assertThat(history.covers(5)).isFalse();
    assertThat(history.at(FenceHistory.MOST_RUNS + 5L).fenceTerm()).isEqualTo(1);
  }

  @Test
  void theStateAtEachOffsetIsThatOfAFenceWhichReadsUpToThere() {
    SplittableRandom random = new SplittableRandom(0x5EED);
    for (int round = 0; round < 200; round++) {
      FenceHistory history = new FenceHistory(new LogPosition(0, 0, 0));
      TermFence fence = new TermFence();
      List<LogPosition> states = new ArrayList<>(List.of(new LogPosition(0, 0, 0)));
      for (int offset = 0; offset < 60; offset++) {
        RawRecord record =
            random.nextInt(5) == 0
                ? RecordHeader.fence(1 + random.nextInt(6), "n")
                : data(
                    Math.max(1, fence.term() - random.nextInt(2)),
                    fence.nextSeqNo() + (random.nextInt(6) == 0 ? 1 : 0));
        assertThat(history.judge(offset, record)).isEqualTo(fence.judge(record));
        states.add(new LogPosition(offset + 1, fence.nextSeqNo(), fence.term()));
      }
      states.forEach(state -> assertThat(history.at(state.nextOffset())).isEqualTo(state));
    }
  }
}
