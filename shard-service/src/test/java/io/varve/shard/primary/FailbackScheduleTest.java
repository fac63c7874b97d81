package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.FormerLog.Check;
import io.varve.shard.primary.FailbackSchedule.Step;
import org.junit.jupiter.api.Test;

/** Tests the table of {@link FailbackSchedule}. */
class FailbackScheduleTest {

  private final FailbackSchedule schedule = new FailbackSchedule();

  private Step checked(Check check) {
    assertThat(schedule.begin()).isEqualTo(new Step.AppendFence());
    assertThat(schedule.fenced()).isEqualTo(new Step.CheckLog());
    return schedule.checked(check);
  }

  @Test
  void aWholeLogIsReplayedAfterTheQuarantine() {
    assertThat(checked(new Check.Whole())).isEqualTo(new Step.Quarantine(true));
    assertThat(schedule.quarantined()).isEqualTo(new Step.Replay());
    assertThat(schedule.replayed()).isEqualTo(new Step.Begin());
  }

  @Test
  void aLogWithoutItsFirstOperationsContinuesFromAPinnedCommit() {
    assertThat(checked(new Check.Incomplete("truncated", true)))
        .isEqualTo(new Step.Quarantine(true));
    assertThat(schedule.quarantined()).isEqualTo(new Step.ContinuePinned());
    assertThat(schedule.continued(true)).isEqualTo(new Step.Begin());
  }

  @Test
  void withoutOneThePromotedIndexIsCopied() {
    assertThat(checked(new Check.Incomplete("truncated", true)))
        .isEqualTo(new Step.Quarantine(true));
    assertThat(schedule.quarantined()).isEqualTo(new Step.ContinuePinned());
    assertThat(schedule.continued(false)).isEqualTo(new Step.CopySegments("truncated"));
  }

  @Test
  void aLogWithoutTheForkNeedsNoCommit() {
    assertThat(checked(new Check.Incomplete("truncated", false)))
        .isEqualTo(new Step.Quarantine(false));
    assertThat(schedule.quarantined()).isEqualTo(new Step.CopySegments("truncated"));
  }

  @Test
  void anotherLogIsRefusedBeforeAnythingIsPutInQuarantine() {
    assertThat(checked(new Check.Diverged("another record")))
        .isEqualTo(new Step.Refuse("another record"));
    assertThatThrownBy(schedule::quarantined).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void stepsOutOfOrderAreRefused() {
    assertThatThrownBy(schedule::fenced).isInstanceOf(IllegalStateException.class);
    assertThat(schedule.begin()).isEqualTo(new Step.AppendFence());
    assertThatThrownBy(schedule::replayed).isInstanceOf(IllegalStateException.class);
  }
}
