package io.varve.log;

import static io.varve.log.TermFence.Verdict.ACCEPTED;
import static io.varve.log.TermFence.Verdict.FENCE_LOST;
import static io.varve.log.TermFence.Verdict.FENCE_WON;
import static io.varve.log.TermFence.Verdict.OUT_OF_SEQUENCE;
import static io.varve.log.TermFence.Verdict.REVIVED;
import static io.varve.log.TermFence.Verdict.STALE_TERM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.MalformedRecordException;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TermFenceTest {

  private final TermFence fence = new TermFence();

  private TermFence.Verdict fence(long term) {
    return fence.judge(new RecordHeader(RecordHeader.Kind.FENCE, term, -1));
  }

  private TermFence.Verdict data(long term, long seqNo) {
    return fence.judge(new RecordHeader(RecordHeader.Kind.DATA, term, seqNo));
  }

  @Test
  void acceptsTheDenseSequenceOfTheNewestTerm() {
    assertThat(fence(1)).isEqualTo(FENCE_WON);
    assertThat(data(1, 0)).isEqualTo(ACCEPTED);
    assertThat(data(1, 1)).isEqualTo(ACCEPTED);
    assertThat(fence(2)).isEqualTo(FENCE_WON);
    assertThat(data(2, 2)).isEqualTo(ACCEPTED);
    assertThat(fence.nextSeqNo()).isEqualTo(3);
  }

  @Test
  void acceptsNothingBeforeTheFirstFence() {
    assertThat(data(1, 0)).isEqualTo(STALE_TERM);
  }

  @Test
  void theFirstFenceOfATermWinsAndTheSecondChangesNothing() {
    fence(3);
    assertThat(data(3, 0)).isEqualTo(ACCEPTED);
    assertThat(fence(3)).isEqualTo(FENCE_LOST);
    assertThat(fence(2)).isEqualTo(FENCE_LOST);
    assertThat(data(3, 1)).isEqualTo(ACCEPTED);
  }

  @Test
  void aZombiesLateRecordIsRejectedAndTakesNoNumber() {
    fence(1);
    data(1, 0);
    fence(2);
    assertThat(data(1, 1)).isEqualTo(STALE_TERM);
    assertThat(data(2, 1)).isEqualTo(ACCEPTED);
  }

  @Test
  void whatStandsBehindALostAppendIsRejectedByAll() {
    fence(1);
    data(1, 0);
    assertThat(data(1, 2)).isEqualTo(OUT_OF_SEQUENCE);
    assertThat(data(1, 3)).isEqualTo(OUT_OF_SEQUENCE);
    fence(2);
    assertThat(data(2, 1)).isEqualTo(ACCEPTED);
  }

  @Test
  void aDoubledRecordIsRejected() {
    fence(1);
    data(1, 0);
    assertThat(data(1, 0)).isEqualTo(OUT_OF_SEQUENCE);
  }

  @Test
  void goesOnFromARecordedState() {
    TermFence resumed = new TermFence(4, 10);
    assertThat(resumed.judge(new RecordHeader(RecordHeader.Kind.DATA, 4, 10))).isEqualTo(ACCEPTED);
    assertThat(resumed.judge(new RecordHeader(RecordHeader.Kind.DATA, 4, 12)))
        .isEqualTo(OUT_OF_SEQUENCE);
  }

  @Test
  void aRecordWithoutAHeaderIsOfNoTermAndChangesNothing() {
    fence(1);
    RawRecord stray = RawRecord.keyed(new byte[] {1}, new byte[] {2});
    assertThat(fence.judge(stray)).isEqualTo(STALE_TERM);
    assertThat(data(1, 0)).isEqualTo(ACCEPTED);
  }

  @Test
  void aHeaderThatANewerVersionWroteStopsTheReader() {
    fence(1);
    RawRecord newer = new RawRecord(null, null, new byte[] {(byte) 0xF1, 1, 0});
    assertThatThrownBy(() -> fence.judge(newer)).isInstanceOf(MalformedRecordException.class);
  }

  /**
   * Checks in 10,000 random histories that accepted records have dense seq_nos and the current
   * term.
   */
  @Test
  void acceptedSeqNosAreDenseInWhateverIsWritten() {
    for (long seed = 0; seed < 10_000; seed++) {
      Random random = new Random(seed);
      TermFence any = new TermFence();
      long accepted = 0;
      long term = 0;
      for (int i = 0; i < 40; i++) {
        boolean isFence = random.nextInt(5) == 0;
        long writtenTerm = random.nextLong(1, 5);
        long seqNo = Math.max(0, accepted + random.nextInt(3) - 1);
        TermFence.Verdict verdict =
            any.judge(
                isFence
                    ? new RecordHeader(RecordHeader.Kind.FENCE, writtenTerm, -1)
                    : new RecordHeader(RecordHeader.Kind.DATA, writtenTerm, seqNo));
        boolean wins = isFence && writtenTerm > term;
        boolean counts = !isFence && writtenTerm == term && seqNo == accepted;
        assertThat(verdict == FENCE_WON).as("seed %d, record %d", seed, i).isEqualTo(wins);
        assertThat(verdict.accepted()).as("seed %d, record %d", seed, i).isEqualTo(counts);
        term = wins ? writtenTerm : term;
        accepted += counts ? 1 : 0;
      }
      assertThat(any.nextSeqNo()).isEqualTo(accepted);
    }
  }

  private TermFence.Verdict revival(long term, long nextSeqNo) {
    return fence.judge(new RecordHeader(RecordHeader.Kind.REVIVAL, term, nextSeqNo));
  }

  @Test
  void aRevivalOfALaterTermContinuesAtItsOwnSeqNo() {
    fence(3);
    data(3, 0);
    assertThat(revival(3, 9)).isEqualTo(FENCE_LOST);
    assertThat(revival(4, 9)).isEqualTo(REVIVED);
    assertThat(data(3, 1)).isEqualTo(STALE_TERM);
    assertThat(data(4, 1)).isEqualTo(OUT_OF_SEQUENCE);
    assertThat(data(4, 9)).isEqualTo(ACCEPTED);
    assertThat(fence(4)).isEqualTo(FENCE_LOST);
    assertThat(fence(5)).isEqualTo(FENCE_WON);
    assertThat(data(5, 10)).isEqualTo(ACCEPTED);
  }

  @Test
  void aReaderMustBeRebuiltAlthoughItCountedAsMany() {
    fence(3);
    data(3, 0);
    assertThat(revival(4, 1)).isEqualTo(REVIVED);
  }
}
