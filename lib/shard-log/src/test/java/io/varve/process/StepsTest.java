package io.varve.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class StepsTest {

  private final Parallel parallel = new Parallel();

  @AfterEach
  void close() {
    parallel.close();
  }

  @Test
  void theWaitEndsWhenAllStepsAndTheStepsThatTheyStartedHaveEnded() throws Exception {
    AtomicInteger ended = new AtomicInteger();
    try (Steps steps = parallel.steps()) {
      for (int i = 0; i < 10; i++) {
        steps.start(() -> {
          steps.start(() -> {
            steps.start(ended::incrementAndGet);
            ended.incrementAndGet();
          });
          ended.incrementAndGet();
        });
      }
      steps.await();
    }
    assertThat(ended).hasValue(30);
  }

  @Test
  void withoutStepsThereIsNothingToWaitFor() throws Exception {
    try (Steps steps = parallel.steps()) {
      steps.await();
    }
  }

  @Test
  void aFailureEndsTheWaitAndInterruptsTheOthers() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch waiting = new CountDownLatch(1);
    try (Steps steps = parallel.steps()) {
      steps.start(() -> {
        try {
          waiting.countDown();
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          interrupted.countDown();
          throw e;
        }
      });
      waiting.await();
      steps.start(() -> {
        throw new IllegalArgumentException("wrong");
      });
      assertThatThrownBy(steps::await)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("wrong");
    }
    interrupted.await();
  }

  @Test
  void noStepStartsAfterTheEnd() throws Exception {
    AtomicInteger ran = new AtomicInteger();
    Steps steps = parallel.steps();
    steps.close();
    steps.start(ran::incrementAndGet);
    steps.await();
    assertThat(ran).hasValue(0);
  }

  @Test
  void stepsWorkForTheRequestThatStartedTheFirst() throws Exception {
    List<Object> contexts = new CopyOnWriteArrayList<>();
    RequestContext.run(
        "user",
        () -> {
          try (Steps steps = parallel.steps()) {
            Thread stranger =
                Thread.ofVirtual().start(() -> steps.start(() -> contexts.add(context())));
            stranger.join();
            steps.start(() -> steps.start(() -> contexts.add(context())));
            steps.await();
          }
        });
    assertThat(contexts).containsExactly("user", "user");
  }

  private static Object context() {
    Object context = RequestContext.current();
    return context == null ? "none" : context;
  }
}
