package io.varve.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EssentialThreadsTest {

  private final List<String> deaths = new CopyOnWriteArrayList<>();
  private final EssentialThreads threads = new EssentialThreads((name, e) -> deaths.add(name));

  private static void fail(Throwable failure) {
    switch (failure) {
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      default -> throw new IllegalStateException(failure);
    }
  }

  @Test
  void aLoopGoesOnAfterAStepThatFails() {
    List<Throwable> failures =
        List.of(
            new IllegalStateException("a defect"), new StackOverflowError(), new AssertionError());
    List<Integer> done = new ArrayList<>();
    for (int i = 0; i <= failures.size(); i++) {
      int step = i;
      threads.step(
          "heartbeat",
          () -> {
            if (step < failures.size()) {
              fail(failures.get(step));
            }
            done.add(step);
          });
    }
    assertThat(done).containsExactly(3);
    assertThat(threads.dead()).isEmpty();
    assertThat(deaths).isEmpty();
  }

  @Test
  void aFatalErrorIsTheDeathOfItsThread() {
    OutOfMemoryError error = new OutOfMemoryError("heap");
    assertThatThrownBy(() -> threads.step("heartbeat", () -> fail(error))).isSameAs(error);
    assertThat(deaths).containsExactly("heartbeat");
    assertThat(threads.dead()).containsEntry("heartbeat", error.toString());
  }

  @Test
  void aBodyThatThrowsIsDeadAndOneThatReturnsHasEnded() {
    threads.body("tail", () -> {}).run();
    assertThat(threads.dead()).isEmpty();
    Runnable broken = threads.body("tail", () -> fail(new IllegalStateException("a defect")));
    assertThatThrownBy(broken::run).isInstanceOf(IllegalStateException.class);
    assertThat(deaths).containsExactly("tail");
  }

  @Test
  void aTimerGoesOnAfterATaskThatFails() throws Exception {
    try (SteadyTimer timer = new SteadyTimer("timer", threads)) {
      CountDownLatch thirdTime = new CountDownLatch(3);
      var _ =
          timer.scheduleWithFixedDelay(
              () -> {
                thirdTime.countDown();
                fail(new IllegalStateException("a defect"));
              },
              0,
              1,
              TimeUnit.MILLISECONDS);
      assertThat(thirdTime.await(60, TimeUnit.SECONDS)).isTrue();
      timer.shutdownNow();
    }
    assertThat(deaths).isEmpty();
  }

  @Test
  void aTimerThatMeetsAFatalErrorIsDead() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch dead = new CountDownLatch(1);
    EssentialThreads watched =
        new EssentialThreads((name, e) -> {
          deaths.add(name);
          dead.countDown();
        });
    try (SteadyTimer timer = new SteadyTimer("varve-timer", watched)) {
      timer.execute(() -> {
        runs.incrementAndGet();
        fail(new OutOfMemoryError("heap"));
      });
      assertThat(dead.await(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(deaths).containsExactly("varve-timer");
    assertThat(runs).hasValue(1);
  }
}
