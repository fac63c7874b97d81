package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.varve.shard.primary.RecoverySchedule.Step;
import org.junit.jupiter.api.Test;

class RecoveryScheduleTest {

  private final RecoverySchedule schedule = new RecoverySchedule(10);

  @Test
  void fencesAtOnceWhenNothingIsMissing() {
    assertThat(schedule.logEndsAt(10)).isEqualTo(new Step.AppendFence());
  }

  @Test
  void catchesUpBeforeItFences() {
    assertThat(schedule.logEndsAt(11)).isEqualTo(new Step.CatchUp(10));
    assertThat(schedule.logEndsAt(11)).isEqualTo(new Step.AppendFence());
    assertThat(schedule.fenced(11)).isEqualTo(new Step.ReplayToFence(11));
    assertThat(schedule.replayed()).isEqualTo(new Step.Open());
  }

  @Test
  void leavesFewRecordsToTheReplayBehindTheFence() {
    assertThat(schedule.logEndsAt(100)).isEqualTo(new Step.CatchUp(99));
    assertThat(schedule.logEndsAt(151)).isEqualTo(new Step.CatchUp(150));
    assertThat(schedule.logEndsAt(201)).isEqualTo(new Step.AppendFence());
    assertThat(schedule.fenced(205)).isEqualTo(new Step.ReplayToFence(205));
  }

  @Test
  void fencesAfterFivePassesThoughMuchIsMissing() {
    for (long end = 1_000; end <= 5_000; end += 1_000) {
      assertThat(schedule.logEndsAt(end)).isEqualTo(new Step.CatchUp(end - 1));
    }
    assertThat(schedule.logEndsAt(6_000)).isEqualTo(new Step.AppendFence());
  }

  @Test
  void appendsNothingToALogThatEndsBeforeWhatIsApplied() {
    assertThat(schedule.logEndsAt(9)).isEqualTo(new Step.LogWentBack(10, 9));
    assertThatIllegalStateException().isThrownBy(() -> schedule.fenced(20));
  }

  @Test
  void appendsNothingToALogThatLosesWhatWasReadOfIt() {
    schedule.logEndsAt(200);

    assertThat(schedule.logEndsAt(199)).isEqualTo(new Step.LogWentBack(200, 199));
    assertThatIllegalStateException().isThrownBy(() -> schedule.logEndsAt(300));
  }

  @Test
  void doesNotOpenOnAFenceBeforeWhatWasRead() {
    schedule.logEndsAt(200);
    schedule.logEndsAt(200);

    assertThat(schedule.fenced(199)).isEqualTo(new Step.LogWentBack(200, 199));
    assertThatIllegalStateException().isThrownBy(schedule::replayed);
  }

  @Test
  void refusesReportsOutOfOrder() {
    assertThatIllegalStateException()
        .isThrownBy(() -> schedule.fenced(10))
        .withMessage("expected state FENCING, was CATCHING_UP");
    assertThatIllegalStateException()
        .isThrownBy(schedule::replayed)
        .withMessage("expected state REPLAYING, was CATCHING_UP");
    schedule.logEndsAt(10);
    schedule.fenced(10);
    schedule.replayed();
    assertThatIllegalStateException().isThrownBy(schedule::replayed);
  }

  @Test
  void refusesANegativeOffset() {
    assertThat(new RecoverySchedule(0).logEndsAt(0)).isEqualTo(new Step.AppendFence());
    assertThatIllegalArgumentException().isThrownBy(() -> new RecoverySchedule(-1));
  }
}
