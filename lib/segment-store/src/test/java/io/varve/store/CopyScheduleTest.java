package io.varve.store;

import static io.varve.store.TestFiles.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Manifest;
import org.junit.jupiter.api.Test;

class CopyScheduleTest {

  private static final Manifest G1 = manifest(1, 1);
  private static final Manifest G2 = manifest(1, 2);
  private static final Manifest G3 = manifest(1, 3);
  private static final CopySchedule.Step IDLE = new CopySchedule.Step.Idle();

  private final CopySchedule course =
      new CopySchedule(new ExponentialBackOff(100, 1_000, () -> 0.0));

  @Test
  void isIdleUntilAManifestIsSeen() {
    assertThat(course.next(0)).isEqualTo(IDLE);
    course.seen(G1);
    assertThat(course.next(0)).isEqualTo(begin(G1));
    course.achieved(G1);
    assertThat(course.next(0)).isEqualTo(IDLE);
  }

  @Test
  void goesAgainAtOnceWhenTheAchievedIsOlderThanTheNewest() {
    course.seen(G1);
    course.seen(G2);
    course.seen(G3);
    course.achieved(G1);

    assertThat(course.next(0)).isEqualTo(begin(G3));
  }

  @Test
  void whatItAchievedNeverGoesBack() {
    assertThat(course.achieved()).isNull();
    course.achieved(G2);
    course.achieved(G1);
    assertThat(course.achieved()).isEqualTo(G2);

    course.seen(G1);
    assertThat(course.checkpointsBehind()).isZero();
    course.seen(G3);
    assertThat(course.checkpointsBehind()).isEqualTo(1);
  }

  @Test
  void countsFailuresInARow() {
    course.seen(G1);
    course.failed(G1, CopySchedule.Failure.COPY_BROKEN, 0);
    course.failed(G1, CopySchedule.Failure.COPY_BROKEN, 0);
    assertThat(course.failuresInARow()).isEqualTo(2);

    course.achieved(G1);
    assertThat(course.failuresInARow()).isZero();
  }

  @Test
  void dropsWhatIsNotNewer() {
    course.seen(G2);

    assertThat(course.seen(G1)).isFalse();
    assertThat(course.seen(manifest(2, 0))).isTrue();
    assertThat(course.seen(manifest(1, 99))).isFalse();
    assertThat(course.newest()).isEqualTo(manifest(2, 0));
  }

  @Test
  void waitsLongerWithEachFailureInARow() {
    course.seen(G1);
    course.failed(G1, CopySchedule.Failure.SOURCE_UNREACHABLE, 1_000);
    assertThat(course.next(1_000)).isEqualTo(until(1_050));
    assertThat(course.next(1_050)).isEqualTo(begin(G1));
    course.failed(G1, CopySchedule.Failure.SOURCE_UNREACHABLE, 2_000);
    assertThat(course.next(2_000)).isEqualTo(until(2_100));
    for (int i = 0; i < 50; i++) {
      course.failed(G1, CopySchedule.Failure.COPY_BROKEN, 3_000);
    }
    assertThat(course.next(3_000)).isEqualTo(until(3_500));
    course.achieved(G1);
    assertThat(course.failuresInARow()).isZero();
  }

  @Test
  void onlyANewTermEndsTheWaitOfANodeThatIsTooOld() {
    course.seen(G1);
    course.failed(G1, CopySchedule.Failure.UNREADABLE, 1_000);

    course.seen(G2);
    assertThat(course.next(1_000)).isEqualTo(until(1_050));

    course.seen(manifest(2, 0));
    assertThat(course.next(1_000)).isEqualTo(begin(manifest(2, 0)));
  }

  @Test
  void goesOnAtOnceWithTheNewestWhenTheOldIsGone() {
    course.seen(G1);
    course.seen(G2);
    course.failed(G1, CopySchedule.Failure.SOURCE_GONE, 1_000);

    assertThat(course.next(1_000)).isEqualTo(begin(G2));
  }

  @Test
  void waitsForANewerWhenTheNewestIsGone() {
    course.seen(G1);
    course.failed(G1, CopySchedule.Failure.SOURCE_GONE, 1_000);
    assertThat(course.next(1_000)).isEqualTo(until(1_050));

    course.seen(G2);

    assertThat(course.next(1_001)).isEqualTo(begin(G2));
  }

  @Test
  void aNewManifestEndsAWaitForTheSource() {
    course.seen(G1);
    course.failed(G1, CopySchedule.Failure.SOURCE_UNREACHABLE, 1_000);
    course.seen(G2);

    assertThat(course.next(1_001)).isEqualTo(begin(G2));
  }

  @Test
  void onlyANewTermEndsAWaitAfterABrokenCopy() {
    course.seen(G1);
    course.failed(G1, CopySchedule.Failure.COPY_BROKEN, 1_000);
    course.seen(G2);
    assertThat(course.next(1_001)).isEqualTo(until(1_050));

    Manifest newTerm = manifest(2, 0);
    course.seen(newTerm);

    assertThat(course.next(1_001)).isEqualTo(begin(newTerm));
  }

  @Test
  void countsWhatIsNotShown() {
    assertThat(course.millisBehind(9_000)).isZero();
    course.seen(G1);
    course.seen(G2);
    course.seen(G3);
    assertThat(course.checkpointsBehind()).isEqualTo(3);
    assertThat(course.millisBehind(4_500)).isEqualTo(3_500);

    course.achieved(G2);

    assertThat(course.checkpointsBehind()).isEqualTo(1);
    assertThat(course.millisBehind(4_500)).isEqualTo(1_500);
  }

  private static CopySchedule.Step begin(Manifest manifest) {
    return new CopySchedule.Step.Begin(manifest);
  }

  private static CopySchedule.Step until(long millis) {
    return new CopySchedule.Step.WaitUntil(millis);
  }
}
