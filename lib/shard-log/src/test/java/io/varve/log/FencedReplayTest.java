package io.varve.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FencedReplayTest extends FencedLogWorld {

  @Test
  void replaysWhatIsAcceptedUpToTheFence() throws Exception {
    zombieBetweenTwoTerms();
    fence(3);
    data(3, 2);
    TermFence fence = new TermFence();
    List<Long> accepted = new ArrayList<>();

    TermFence.Verdict own =
        FencedReplay.upTo(log, 0, 6, fence, stored -> accepted.add(stored.offset()));

    assertThat(own).isEqualTo(TermFence.Verdict.FENCE_WON);
    assertThat(accepted).containsExactly(1L, 4L);
    assertThat(fence.term()).isEqualTo(3);
    assertThat(fence.nextSeqNo()).isEqualTo(2);
  }

  @Test
  void aReplayTellsThatItsFenceLost() throws Exception {
    fence(2);
    fence(1);

    assertThat(FencedReplay.upTo(log, 0, 1, new TermFence(), _ -> {}))
        .isEqualTo(TermFence.Verdict.FENCE_LOST);
  }

  @Test
  void aReplayEndsAtARecordThatItCannotRead() throws Exception {
    fence(1);
    unreadableRecord();
    fence(2);

    assertThatThrownBy(() -> FencedReplay.upTo(log, 0, 2, new TermFence(), _ -> {}))
        .isInstanceOf(UnreadableRecordException.class);
  }
}
