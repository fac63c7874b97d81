package io.varve.host.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.log.OffsetWatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Times are in units of the clock; everything runs on the test's thread. */
class FreshnessTest {

  private final List<CompletableFuture<Long>> looks = new ArrayList<>();
  private final List<Long> wanted = new ArrayList<>();
  private final OffsetWatcher visible = new OffsetWatcher(-1);
  private long now = 1_000;
  private final Freshness freshness =
      new Freshness(
          () -> {
            CompletableFuture<Long> look = new CompletableFuture<>();
            looks.add(look);
            return look;
          },
          visible,
          (seqNo, _) -> wanted.add(seqNo),
          () -> now);

  @Test
  void isProvenWhenWhatWasInTheLogIsShown() {
    CompletableFuture<Boolean> fresh = freshness.within(100);
    assertThat(fresh).isNotDone();

    looks.getFirst().complete(5L);
    assertThat(fresh).isNotDone();
    assertThat(wanted).containsExactly(5L);

    visible.advanceTo(5);
    assertThat(fresh).isCompletedWithValue(true);
  }

  @Test
  void aProofHoldsForTheAgeCountedFromTheBeginOfTheLook() {
    visible.advanceTo(9);
    assertThat(freshness.within(100)).isNotDone();
    now += 50;
    looks.getFirst().complete(9L);

    now = 1_100;
    assertThat(freshness.within(100)).isCompletedWithValue(true);
    now = 1_101;
    // The probe that was due in advance is in progress: it began at 1100.
    assertThat(looks).hasSize(2);
    looks.get(1).complete(9L);
    assertThat(freshness.within(100)).isCompletedWithValue(true);
    now = 1_201;
    assertThat(freshness.within(100)).isNotDone();
  }

  @Test
  void looksAheadOnceInAQuarterOfTheAge() {
    visible.advanceTo(0);
    assertThat(freshness.within(100)).isNotDone();
    looks.getFirst().complete(0L);
    for (now = 1_000; now < 1_400; now++) {
      assertThat(freshness.within(100)).isCompletedWithValue(true);
      looks.forEach(look -> look.complete(0L));
    }
    assertThat(looks).hasSizeBetween(14, 17);
  }

  @Test
  void aLookBegunBeforeTheCallProvesNothingForAStrongRead() {
    visible.advanceTo(0);
    CompletableFuture<Boolean> first = freshness.within(0);
    now++;
    CompletableFuture<Boolean> second = freshness.within(0);
    CompletableFuture<Boolean> third = freshness.within(0);

    looks.getFirst().complete(0L);
    assertThat(first).isCompletedWithValue(true);
    assertThat(second).isNotDone();
    assertThat(third).isNotDone();

    assertThat(looks).hasSize(2);
    looks.get(1).complete(0L);
    assertThat(second).isCompletedWithValue(true);
    assertThat(third).isCompletedWithValue(true);
  }

  @Test
  void thoseWhoComeWhileALookSufficesShareIt() {
    CompletableFuture<Boolean> first = freshness.within(100);
    now += 60;
    CompletableFuture<Boolean> second = freshness.within(100);
    assertThat(looks).hasSize(1);

    visible.advanceTo(3);
    looks.getFirst().complete(3L);
    assertThat(first).isCompletedWithValue(true);
    assertThat(second).isCompletedWithValue(true);
  }

  @Test
  void aFailedLookFailsThoseWhoWaitForItAndNoOthers() {
    CompletableFuture<Boolean> first = freshness.within(100);
    looks.getFirst().completeExceptionally(new IllegalStateException("no log"));
    assertThat(first).isCompletedExceptionally();

    assertThat(freshness.within(100)).isNotDone();
    assertThat(looks).hasSize(2);
  }

  @Test
  void aLookThatCanNotBeMadeFailsThoseWhoAskedAndNoOthers() {
    CompletableFuture<Long> end = CompletableFuture.completedFuture(3L);
    boolean[] open = {false};
    Freshness opening =
        new Freshness(
            () -> {
              if (!open[0]) {
                throw new IllegalStateException("the copy is STARTING");
              }
              return end;
            },
            visible,
            (_, _) -> {},
            () -> now);
    assertThat(opening.within(0)).isCompletedExceptionally();
    assertThat(opening.within(100)).isCompletedExceptionally();

    open[0] = true;
    visible.advanceTo(3);
    assertThat(opening.within(0)).isCompletedWithValue(true);
    assertThat(opening.within(100)).isCompletedWithValue(true);
  }

  @Test
  void aWantThatFailsFailsTheLook() {
    Freshness failing =
        new Freshness(
            () -> CompletableFuture.completedFuture(3L),
            visible,
            (_, _) -> {
              throw new IllegalStateException("closed");
            },
            () -> now);
    assertThat(failing.within(100)).isCompletedExceptionally();

    visible.advanceTo(3);
    assertThat(failing.within(100)).isCompletedWithValue(true);
  }

  @Test
  void aCopyThatEndsProvesNothing() {
    CompletableFuture<Boolean> fresh = freshness.within(100);
    looks.getFirst().complete(5L);
    visible.close();
    assertThat(fresh).isCompletedWithValue(false);
  }
}
