package io.varve.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OffsetWatcherTest {

  private final OffsetWatcher watcher = new OffsetWatcher(-1);

  @Test
  void neverGoesBack() {
    watcher.advanceTo(5);
    watcher.advanceTo(3);
    assertThat(watcher.current()).isEqualTo(5);
  }

  @Test
  void releasesThoseWhoseTargetIsReachedAndNoOthers() {
    CompletableFuture<Boolean> near = watcher.reached(2);
    CompletableFuture<Boolean> far = watcher.reached(3);
    watcher.advanceTo(2);
    assertThat(near).isCompletedWithValue(true);
    assertThat(far).isNotDone();
    assertThat(watcher.reached(1)).isCompletedWithValue(true);
  }

  @Test
  void whoWaitsWhenItClosesHearsThatItWillNotCome() {
    CompletableFuture<Boolean> waiting = watcher.reached(9);
    watcher.close();
    assertThat(waiting).isCompletedWithValue(false);
    assertThat(watcher.reached(9)).isCompletedWithValue(false);
    assertThat(watcher.reached(-1)).isCompletedWithValue(true);
  }

  @Test
  void waitingEndsWithTheTimeoutOrTheTarget() throws Exception {
    assertThat(watcher.await(1, Duration.ofMillis(5))).isFalse();
    Thread.ofVirtual().start(() -> watcher.advanceTo(1));
    assertThat(watcher.await(1, Duration.ofSeconds(60))).isTrue();
  }

  @Test
  void manyThreadsAdvanceAndAllWaitersAreReleased() throws Exception {
    List<CompletableFuture<Boolean>> waiting = new ArrayList<>();
    for (int target = 0; target < 1_000; target++) {
      waiting.add(watcher.reached(target));
    }
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int first = i;
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                for (int value = first; value < 1_000; value += 4) {
                  watcher.advanceTo(value);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (CompletableFuture<Boolean> each : waiting) {
      assertThat(each.get(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void whoWaitsNoMoreIsForgotten() throws Exception {
    CompletableFuture<Boolean> waiting = watcher.reached(Long.MAX_VALUE);
    CompletableFuture<Boolean> other = watcher.reached(7);

    watcher.forget(waiting);
    assertThat(watcher.await(8, Duration.ZERO)).isFalse();

    assertThat(waiting).isCompletedWithValue(false);
    assertThat(watcher.waiting()).isEqualTo(1);
    watcher.advanceTo(7);
    assertThat(other).isCompletedWithValue(true);
  }
}
