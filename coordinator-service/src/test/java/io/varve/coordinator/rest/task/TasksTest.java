package io.varve.coordinator.rest.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rest.TaskKind;
import io.varve.rpc.ApiException;
import io.varve.rpc.TaskOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TasksTest {

  private static final TaskKind KIND = new TaskKind("indices:data/read/search", "", true);
  private static final Duration LONG = Duration.ofMinutes(2);

  private final List<String> stoppedElsewhere = new CopyOnWriteArrayList<>();
  private final Tasks tasks =
      new Tasks(
          () -> "n1", InstantSource.system(), task -> stoppedElsewhere.add(task.id().toString()));

  @AfterEach
  void close() {
    tasks.close();
  }

  @Test
  void aTaskIsThereAsLongAsItsWork() throws Exception {
    tasks.run(
        KIND,
        Map.of("X-Opaque-Id", "me"),
        () -> {
          assertThat(tasks.all()).hasSize(1);
          assertThat(tasks.infos().getFirst().headers()).containsEntry("X-Opaque-Id", "me");
          assertThat(Tasks.current()).isSameAs(tasks.all().getFirst());
        });

    assertThat(tasks.all()).isEmpty();
    assertThat(Tasks.current()).isNull();
  }

  @Test
  void whatATaskAnsweredIsKept() throws Exception {
    Task task = tasks.start(KIND, Map.of(), _ -> Map.of("took", 1));

    TaskOutcome outcome = tasks.outcome(task.id().number(), LONG);

    assertThat(outcome.completed()).isTrue();
    assertThat(outcome.response()).containsEntry("took", 1);
  }

  @Test
  void whatATaskFailedWithIsKept() throws Exception {
    Task task =
        tasks.start(
            KIND,
            Map.of(),
            _ -> {
              throw new ApiException(404, "index_not_found_exception", "no such index");
            });

    TaskOutcome outcome = tasks.outcome(task.id().number(), LONG);

    assertThat(outcome.error()).containsEntry("type", "index_not_found_exception");
  }

  @Test
  void ofOthersNothingIsKnown() throws Exception {
    assertThat(tasks.outcome(99, Duration.ZERO)).isEqualTo(TaskOutcome.UNKNOWN);
  }

  @Test
  void cancellingReachesTheTaskItsPartsAndOtherNodes() throws Exception {
    CountDownLatch cancelled = new CountDownLatch(1);
    tasks.run(
        KIND,
        Map.of(),
        () -> {
          Task whole = tasks.all().getFirst();
          Task part = tasks.beginPart(whole, KIND);
          part.onCancel(cancelled::countDown);

          tasks.cancel(whole, "by user request");

          cancelled.await();
          assertThat(stoppedElsewhere)
              .containsExactlyInAnyOrder(whole.id().toString(), part.id().toString());
          assertThatThrownBy(part::check)
              .isInstanceOf(ApiException.class)
              .hasMessageContaining("parent was cancelled");
          tasks.end(part);
        });
  }

  @Test
  void aTaskIsCancelledWhenItsTimeIsOver() throws Exception {
    CountDownLatch cancelled = new CountDownLatch(1);
    tasks.run(
        KIND,
        Map.of(),
        () -> {
          Task task = tasks.all().getFirst();
          task.onCancel(cancelled::countDown);
          assertThat(tasks.cancelAfter(task, 1, "too late").isCancelled()).isFalse();

          cancelled.await();

          assertThatThrownBy(task::check).hasMessageContaining("too late");
        });
  }
}
