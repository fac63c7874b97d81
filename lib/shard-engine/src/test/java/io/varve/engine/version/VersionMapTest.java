package io.varve.engine.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class VersionMapTest {

  private static final long LONG_MILLIS = 600_000;

  private static final byte[] SOURCE = new byte[10];

  private final VersionMap versions = new VersionMap();

  private static DocumentState state(long seqNo) {
    return new DocumentState(seqNo, 1, seqNo + 1, false, SOURCE, null);
  }

  @Test
  void theNewestIsInFlightUntilItIsApplied() {
    versions.appended("d", state(1));

    assertThat(versions.newest("d")).isEqualTo(state(1));
    assertThat(versions.applied("d")).isNull();

    versions.applied("d", state(1));

    assertThat(versions.newest("d")).isEqualTo(state(1));
    assertThat(versions.applied("d")).isEqualTo(state(1));
  }

  @Test
  void anOlderOperationThatIsAppliedLeavesTheNewerOneInFlight() {
    versions.appended("d", state(1));
    versions.appended("d", state(2));

    versions.applied("d", state(1));

    assertThat(versions.newest("d")).isEqualTo(state(2));
    assertThat(versions.applied("d")).isEqualTo(state(1));
  }

  @Test
  void anOperationThatHadAlreadyBeenAppliedIsNoLongerInFlight() {
    versions.appended("d", state(3));

    versions.settled("d", 2);
    assertThat(versions.newest("d")).isEqualTo(state(3));

    versions.settled("d", 3);
    assertThat(versions.newest("d")).isNull();
  }

  @Test
  void droppedOperationsAreNoLongerInFlight() {
    versions.appended("d", state(1));

    versions.resetInFlight();

    assertThat(versions.newest("d")).isNull();
  }

  @Test
  void anAppliedStateIsKeptUntilALaterRefreshIsComplete() {
    versions.applied("d", state(1));
    versions.beforeRefresh();
    assertThat(versions.applied("d")).isEqualTo(state(1));

    versions.applied("e", state(2));
    versions.afterRefresh();

    assertThat(versions.applied("d")).isNull();
    assertThat(versions.applied("e")).isEqualTo(state(2));
  }

  @Test
  void theNewestOfSeveralRefreshesThatFailedIsFound() {
    versions.applied("d", state(1));
    versions.applied("e", state(2));
    versions.beforeRefresh();
    versions.applied("d", state(3));
    versions.beforeRefresh();

    assertThat(versions.applied("d")).isEqualTo(state(3));
    assertThat(versions.applied("e")).isEqualTo(state(2));
  }

  @Test
  void sizeCountsTheNewestStateOfEachIdInEachLayer() {
    long one = state(1).sizeBytes("d");
    assertThat(one).isEqualTo(131);
    versions.applied("d", state(1));
    versions.applied("d", state(2));
    assertThat(versions.sizeBytes()).isEqualTo(one);

    versions.beforeRefresh();
    versions.applied("d", state(3));
    assertThat(versions.sizeBytes()).isEqualTo(2 * one);

    versions.afterRefresh();
    assertThat(versions.sizeBytes()).isEqualTo(one);
  }

  @Test
  void aTombstoneNeedsLessMemoryThanADocument() {
    assertThat(new DocumentState(1, 1, 1, true, null, null).sizeBytes("d")).isEqualTo(121);
  }

  @Test
  void doesNotWaitWhenNothingIsInFlight() throws Exception {
    versions.applied("d", state(1));

    assertThat(versions.awaitApplied("d", 0)).isTrue();
  }

  @Test
  void theWaitEndsAtItsTimeout() throws Exception {
    versions.appended("d", state(1));

    assertThat(versions.awaitApplied("d", 1)).isFalse();
  }

  @Test
  void theWaitEndsWhenTheOperationIsApplied() throws Exception {
    versions.appended("d", state(1));
    CompletableFuture<Boolean> waiting = awaitInBackground();

    versions.applied("d", state(1));

    assertThat(waiting.get(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void theWaitEndsEvenIfANewerOperationOfTheIdIsInFlight() throws Exception {
    versions.appended("d", state(1));
    CompletableFuture<Boolean> waiting = awaitInBackground();
    versions.appended("d", state(2));

    versions.applied("d", state(1));
    versions.settled("e", 1);
    versions.appended("e", state(3));
    versions.applied("e", state(3));

    assertThat(waiting.get(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void theWaitEndsWhenOperationsInFlightAreDropped() throws Exception {
    versions.appended("d", state(1));
    CompletableFuture<Boolean> waiting = awaitInBackground();

    versions.resetInFlight();

    assertThat(waiting.get(1, TimeUnit.MINUTES)).isTrue();
  }

  /** Returns once the wait has begun. */
  private CompletableFuture<Boolean> awaitInBackground() {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Thread waiting =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                done.complete(versions.awaitApplied("d", LONG_MILLIS));
              } catch (InterruptedException e) {
                done.completeExceptionally(e);
              }
            });
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
    return done;
  }
}
