package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.varve.log.LogPosition;
import io.varve.shard.primary.RecoverySchedule.Content;
import io.varve.shard.primary.RecoverySchedule.FolderStep;
import io.varve.shard.primary.RecoverySchedule.LogStep;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecoveryScheduleTest {

  private static final long REPLAYED_SOONER = 100;

  private final RecoverySchedule schedule = opened(10);

  private static RecoverySchedule opened(long nextOffset) {
    return opened(nextOffset, false);
  }

  private static RecoverySchedule opened(long nextOffset, boolean asksOthers) {
    RecoverySchedule schedule = new RecoverySchedule(false, asksOthers);
    schedule.begin();
    schedule.verified();
    schedule.compared(new Content(at(nextOffset, nextOffset), null, 0));
    assertThat(schedule.opened(nextOffset)).isEqualTo(new LogStep.VerifyApplied());
    return schedule;
  }

  private static LogPosition at(long nextOffset, long nextSeqNo) {
    return new LogPosition(nextOffset, nextSeqNo, 1);
  }

  /** A schedule of a remote-backed index whose term has claimed the store. */
  private static RecoverySchedule claimed() {
    RecoverySchedule schedule = new RecoverySchedule(true, false, REPLAYED_SOONER);
    schedule.begin();
    schedule.verified();
    assertThat(schedule.claimed()).isEqualTo(new FolderStep.Compare());
    return schedule;
  }

  private static FolderStep begins(LogPosition folder, @Nullable LogPosition stored, long start) {
    return claimed().compared(new Content(folder, stored, start));
  }

  @Test
  void verifiesTheLogBeforeAnythingElse() {
    RecoverySchedule fresh = new RecoverySchedule(false, false);

    assertThat(fresh.begin()).isEqualTo(new FolderStep.VerifyPublished());
    assertThat(fresh.verified()).isEqualTo(new FolderStep.Compare());
  }

  @Test
  void claimsTheStoreOfARemoteBackedIndexOnceTheLogIsVerified() {
    RecoverySchedule fresh = new RecoverySchedule(true, false);

    assertThatIllegalStateException().isThrownBy(fresh::claimed);
    fresh.begin();
    assertThat(fresh.verified()).isEqualTo(new FolderStep.ClaimStore());
    assertThat(fresh.claimed()).isEqualTo(new FolderStep.Compare());
  }

  @Test
  void opensAFolderIfTheLogHasAllThatItLacks() {
    assertThat(begins(at(5, 5), null, 5)).isEqualTo(new FolderStep.OpenFolder());
    assertThat(begins(at(0, 0), at(100, 100), 0)).isEqualTo(new FolderStep.OpenFolder());
    assertThat(begins(at(9, 9), at(8, 8), 0)).isEqualTo(new FolderStep.OpenFolder());
  }

  @Test
  void fetchesWhatTheLogLacksOrWhatIsSlowerToReplay() {
    assertThat(begins(at(4, 4), at(8, 8), 5)).isEqualTo(new FolderStep.FetchFromStore());
    assertThat(begins(at(0, 0), at(101, 101), 0)).isEqualTo(new FolderStep.FetchFromStore());
  }

  @Test
  void fetchesOperationsThatTheLogNeverHad() {
    assertThat(begins(at(0, 0), at(0, 7), 0)).isEqualTo(new FolderStep.FetchFromStore());
  }

  @Test
  void copiesFromAPeerWhatNeitherTheLogNorTheStoreHas() {
    assertThat(begins(at(4, 4), null, 5)).isEqualTo(new FolderStep.CopyFromPeer());
    assertThat(begins(at(4, 4), at(4, 4), 5)).isEqualTo(new FolderStep.CopyFromPeer());
  }

  @Test
  void replaysTheLogWhenTheStoreIsDown() {
    RecoverySchedule slow = claimed();
    Content content = new Content(at(0, 0), at(101, 101), 0);
    slow.compared(content);

    assertThat(slow.fetchFailed()).isEqualTo(new FolderStep.Compare());
    assertThat(slow.compared(content)).isEqualTo(new FolderStep.OpenFolder());
  }

  @Test
  void copiesFromAPeerWhenTheLogWasTruncatedDuringAFetchThatFailed() {
    RecoverySchedule slow = claimed();
    slow.compared(new Content(at(0, 0), at(101, 101), 0));
    slow.fetchFailed();

    assertThat(slow.compared(new Content(at(0, 0), at(101, 101), 1)))
        .isEqualTo(new FolderStep.CopyFromPeer());
  }

  @Test
  void copiesFromAPeerWhatTheStoreHasLost() {
    RecoverySchedule lost = claimed();
    lost.compared(new Content(at(4, 4), at(8, 8), 5));

    assertThat(lost.fetchFailed()).isEqualTo(new FolderStep.CopyFromPeer());
    assertThat(lost.filled()).isEqualTo(new FolderStep.OpenFolder());
  }

  @Test
  void opensAFolderOnceItIsFilled() {
    RecoverySchedule fetched = claimed();
    assertThatIllegalStateException().isThrownBy(fetched::filled);
    fetched.compared(new Content(at(4, 4), at(8, 8), 5));
    assertThatIllegalStateException().isThrownBy(() -> fetched.opened(8));

    assertThat(fetched.filled()).isEqualTo(new FolderStep.OpenFolder());
    assertThat(fetched.opened(8)).isEqualTo(new LogStep.VerifyApplied());
  }

  @Test
  void fencesAtOnceWhenNothingIsMissing() {
    assertThat(schedule.logEndsAt(10)).isEqualTo(new LogStep.AppendFence());
  }

  @Test
  void catchesUpBeforeItFences() {
    assertThat(schedule.logEndsAt(11)).isEqualTo(new LogStep.CatchUp(10));
    assertThat(schedule.logEndsAt(11)).isEqualTo(new LogStep.AppendFence());
    assertThat(schedule.fenced(11)).isEqualTo(new LogStep.ReplayToFence(11));
    assertThat(schedule.replayed(11)).isEqualTo(new LogStep.OpenGate());
  }

  @Test
  void leavesFewRecordsToTheReplayBehindTheFence() {
    assertThat(schedule.logEndsAt(100)).isEqualTo(new LogStep.CatchUp(99));
    assertThat(schedule.logEndsAt(151)).isEqualTo(new LogStep.CatchUp(150));
    assertThat(schedule.logEndsAt(201)).isEqualTo(new LogStep.AppendFence());
    assertThat(schedule.fenced(205)).isEqualTo(new LogStep.ReplayToFence(205));
  }

  @Test
  void asksTheOtherCopiesOfAStrongIndexOnceBeforeItFences() {
    RecoverySchedule strong = opened(10, true);
    assertThat(strong.logEndsAt(11)).isEqualTo(new LogStep.CatchUp(10));
    assertThat(strong.logEndsAt(11)).isEqualTo(new LogStep.VerifyHeldByOthers());
    assertThatIllegalStateException().isThrownBy(() -> strong.logEndsAt(11));
    strong.othersHold(11);
    assertThat(strong.logEndsAt(100)).isEqualTo(new LogStep.CatchUp(99));
    assertThat(strong.logEndsAt(100)).isEqualTo(new LogStep.AppendFence());
    assertThat(strong.fenced(100)).isEqualTo(new LogStep.ReplayToFence(100));
    assertThat(strong.replayed(11)).isEqualTo(new LogStep.OpenGate());
  }

  @Test
  void opensNoGateIfTheLogLostWhatAnotherCopyHeldAMomentBefore() {
    RecoverySchedule strong = opened(10, true);
    strong.logEndsAt(10);
    strong.othersHold(12);
    strong.logEndsAt(10);
    strong.fenced(10);
    assertThat(strong.replayed(11)).isEqualTo(new LogStep.LogLacksHeld(11, 12));
  }

  @Test
  void fencesAfterFivePassesEvenIfMuchIsMissing() {
    for (long end = 1_000; end <= 5_000; end += 1_000) {
      assertThat(schedule.logEndsAt(end)).isEqualTo(new LogStep.CatchUp(end - 1));
    }
    assertThat(schedule.logEndsAt(6_000)).isEqualTo(new LogStep.AppendFence());
  }

  @Test
  void appendsNothingToALogThatEndsBeforeWhatIsApplied() {
    assertThat(schedule.logEndsAt(9)).isEqualTo(new LogStep.LogWentBack(10, 9));
    assertThatIllegalStateException().isThrownBy(() -> schedule.fenced(20));
  }

  @Test
  void appendsNothingToALogThatLosesWhatWasReadOfIt() {
    schedule.logEndsAt(200);

    assertThat(schedule.logEndsAt(199)).isEqualTo(new LogStep.LogWentBack(200, 199));
    assertThatIllegalStateException().isThrownBy(() -> schedule.logEndsAt(300));
  }

  @Test
  void doesNotOpenOnAFenceBeforeWhatWasRead() {
    schedule.logEndsAt(200);
    schedule.logEndsAt(200);

    assertThat(schedule.fenced(199)).isEqualTo(new LogStep.LogWentBack(200, 199));
    assertThatIllegalStateException().isThrownBy(() -> schedule.replayed(0));
  }

  @Test
  void refusesReportsOutOfOrder() {
    assertThatIllegalStateException()
        .isThrownBy(() -> schedule.fenced(10))
        .withMessage("expected state FENCING, was CATCHING_UP");
    assertThatIllegalStateException()
        .isThrownBy(() -> schedule.replayed(0))
        .withMessage("expected state REPLAYING, was CATCHING_UP");
    schedule.logEndsAt(10);
    schedule.fenced(10);
    schedule.replayed(11);
    assertThatIllegalStateException().isThrownBy(() -> schedule.replayed(0));
  }

  @Test
  void refusesANegativeOffset() {
    assertThat(opened(0).logEndsAt(0)).isEqualTo(new LogStep.AppendFence());
    assertThatIllegalArgumentException().isThrownBy(() -> schedule.opened(-1));
  }
}
