package io.varve.coordinator.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.process.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AwaitTest {

  private final FakeCluster cluster = new FakeCluster();

  @Test
  void whatIsThereIsNotWaitedFor() throws Exception {
    assertThat(
            cluster.await(state -> Optional.of(state.version()), cluster.deadline(Duration.ZERO)))
        .contains(cluster.state().version());
  }

  @Test
  void whatNeverComesIsWaitedForUntilTheDeadline() throws Exception {
    cluster.stopClock();
    Deadline deadline = cluster.deadline(Duration.ofSeconds(50));

    assertThat(cluster.await(_ -> Optional.empty(), deadline)).isEmpty();
    assertThat(deadline.isOver()).isTrue();
    assertThat(deadline.left()).isZero();
  }

  @Test
  void whatComesLaterIsFound() throws Exception {
    CompletableFuture<FakeCluster> later =
        CompletableFuture.supplyAsync(() -> cluster.index("other", 1).index("books", 1));

    assertThat(
            cluster.await(
                state -> Optional.ofNullable(state.indices().get("books")),
                cluster.deadline(Duration.ofMinutes(2))))
        .isPresent();
    later.join();
  }

  @Test
  void oneOfSeveralWaitsTakesNoMoreThanItsShare() {
    cluster.stopClock();
    Deadline deadline = cluster.deadline(Duration.ofMinutes(2));

    assertThat(deadline.leftUpTo(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(1));
    assertThat(deadline.leftUpTo(Duration.ofDays(1))).isEqualTo(Duration.ofMinutes(2));
  }
}
