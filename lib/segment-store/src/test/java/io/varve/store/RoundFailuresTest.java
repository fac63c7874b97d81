package io.varve.store;

import static io.varve.store.CopySchedule.Failure.COPY_BROKEN;
import static io.varve.store.CopySchedule.Failure.DISK_FULL;
import static io.varve.store.CopySchedule.Failure.SOURCE_GONE;
import static io.varve.store.CopySchedule.Failure.SOURCE_UNREACHABLE;
import static io.varve.store.CopySchedule.Failure.UNREADABLE;
import static io.varve.store.RoundFailures.Action.KEEP_COMMIT;
import static io.varve.store.RoundFailures.Action.REOPEN;
import static io.varve.store.RoundFailures.Action.RETRY;
import static io.varve.store.RoundFailures.Action.START_BEHIND;
import static io.varve.store.RoundFailures.Held.COMMIT;
import static io.varve.store.RoundFailures.Held.MANIFEST;
import static io.varve.store.RoundFailures.Held.NOTHING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the table of {@link RoundFailures}. */
class RoundFailuresTest {

  private static final RoundFailures.Copy STARTED =
      new RoundFailures.Copy(true, MANIFEST, false, true);
  private static final RoundFailures.Copy BUILDING =
      new RoundFailures.Copy(false, MANIFEST, false, false);
  private static final RoundFailures.Copy EMPTY_AND_ALONE =
      new RoundFailures.Copy(false, NOTHING, false, true);
  private static final RoundFailures.Copy ALONE =
      new RoundFailures.Copy(false, MANIFEST, false, true);
  private static final RoundFailures.Copy ALONE_AND_OPENED =
      new RoundFailures.Copy(false, MANIFEST, true, true);
  private static final RoundFailures.Copy FORMER_PRIMARY =
      new RoundFailures.Copy(false, COMMIT, false, false);
  private static final RoundFailures.Copy FORMER_PRIMARY_ALONE =
      new RoundFailures.Copy(false, COMMIT, false, true);
  private static final RoundFailures.Copy FORMER_PRIMARY_OPENED =
      new RoundFailures.Copy(false, COMMIT, true, true);

  private record Row(
      CopySchedule.Failure failure,
      boolean newerIsKnown,
      RoundFailures.Copy copy,
      RoundFailures.Action action) {}

  private static final List<Row> FIRST_FAILURE =
      List.of(
          new Row(SOURCE_GONE, true, ALONE, RETRY),
          new Row(SOURCE_GONE, false, ALONE, START_BEHIND),
          new Row(SOURCE_GONE, false, ALONE_AND_OPENED, REOPEN),
          new Row(SOURCE_GONE, false, BUILDING, RETRY),
          new Row(SOURCE_GONE, false, STARTED, RETRY),
          new Row(SOURCE_UNREACHABLE, true, ALONE, START_BEHIND),
          new Row(SOURCE_UNREACHABLE, false, EMPTY_AND_ALONE, RETRY),
          new Row(SOURCE_UNREACHABLE, false, STARTED, RETRY),
          new Row(SOURCE_GONE, true, FORMER_PRIMARY_ALONE, RETRY),
          new Row(SOURCE_GONE, false, FORMER_PRIMARY_ALONE, KEEP_COMMIT),
          new Row(SOURCE_GONE, false, FORMER_PRIMARY_OPENED, REOPEN),
          new Row(SOURCE_UNREACHABLE, false, FORMER_PRIMARY, RETRY),
          new Row(SOURCE_UNREACHABLE, false, FORMER_PRIMARY_ALONE, KEEP_COMMIT),
          new Row(DISK_FULL, false, FORMER_PRIMARY_ALONE, KEEP_COMMIT),
          new Row(UNREADABLE, false, FORMER_PRIMARY_ALONE, KEEP_COMMIT),
          new Row(COPY_BROKEN, false, FORMER_PRIMARY_ALONE, RETRY),
          new Row(DISK_FULL, false, ALONE, START_BEHIND),
          new Row(DISK_FULL, false, ALONE_AND_OPENED, REOPEN),
          new Row(DISK_FULL, false, STARTED, RETRY),
          new Row(DISK_FULL, false, BUILDING, RETRY),
          new Row(COPY_BROKEN, false, STARTED, RETRY),
          new Row(COPY_BROKEN, true, ALONE, RETRY),
          new Row(UNREADABLE, false, STARTED, RETRY),
          new Row(UNREADABLE, false, ALONE, START_BEHIND),
          new Row(UNREADABLE, false, ALONE_AND_OPENED, REOPEN),
          new Row(UNREADABLE, true, BUILDING, REOPEN),
          new Row(UNREADABLE, false, EMPTY_AND_ALONE, REOPEN));

  @Test
  void theFirstFailureIsAnsweredByTheTable() {
    for (Row row : FIRST_FAILURE) {
      assertThat(new RoundFailures().after(row.failure(), row.newerIsKnown(), row.copy()))
          .as("%s", row)
          .isEqualTo(row.action());
    }
  }

  @Test
  void theFifthCountedFailureReopensTheCopy() {
    RoundFailures failures = new RoundFailures();
    for (int i = 0; i < 4; i++) {
      assertThat(failures.after(COPY_BROKEN, false, STARTED)).isEqualTo(RETRY);
    }

    assertThat(failures.after(DISK_FULL, false, BUILDING)).isEqualTo(REOPEN);
  }

  @Test
  void anInstalledManifestBeginsTheCountAgain() {
    RoundFailures failures = new RoundFailures();
    for (int i = 0; i < 4; i++) {
      assertThat(failures.after(COPY_BROKEN, false, STARTED)).isEqualTo(RETRY);
    }
    failures.installed();

    assertThat(failures.after(COPY_BROKEN, false, STARTED)).isEqualTo(RETRY);
  }

  @Test
  void aStartedCopyServesOnWhileItsDiskIsFullOrItsNodeIsTooOld() {
    RoundFailures failures = new RoundFailures();
    for (int i = 0; i < 10; i++) {
      assertThat(failures.after(DISK_FULL, false, STARTED)).isEqualTo(RETRY);
      assertThat(failures.after(UNREADABLE, false, STARTED)).isEqualTo(RETRY);
    }
  }
}
