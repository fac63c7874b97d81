package io.varve.host.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApplyLanesTest {

  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final ApplyLanes lanes = new ApplyLanes(4, tasks::add);
  private final List<String> applied = new ArrayList<>();

  private void submit(int from, int to) {
    lanes.submit(
        IntStream.range(from, to).mapToObj(Integer::toString).toList(),
        Function.identity(),
        applied::add);
  }

  private void runAll() {
    while (!tasks.isEmpty()) {
      // The newest first: the order of applying must not depend on the executor.
      tasks.removeLast().run();
    }
  }

  @Test
  void aSmallBatchIsAppliedInItsOrder() {
    submit(0, 20);
    assertThat(tasks).hasSize(1);
    runAll();
    assertThat(applied).isEqualTo(IntStream.range(0, 20).mapToObj(Integer::toString).toList());
  }

  @Test
  void whatComesMeanwhileWaitsForIt() {
    submit(0, 20);
    submit(10, 30);
    assertThat(tasks).hasSize(1);
    runAll();
    assertThat(applied.subList(0, 20)).doesNotContain("20").contains("0", "19");
    assertThat(applied).hasSize(40).contains("29");
  }

  @Test
  void aLargeBatchIsSplit() {
    submit(0, 500);
    assertThat(tasks).hasSize(4);
    runAll();
    assertThat(applied).hasSize(500);
  }

  @Test
  void lanesGoOnAfterWorkThatFails() {
    lanes.submit(
        List.of("a", "b"),
        Function.identity(),
        _ -> {
          throw new IllegalStateException("on purpose");
        });
    runAll();
    submit(0, 2);
    runAll();
    assertThat(applied).containsExactly("0", "1");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 500})
  void anExecutorThatRefusesLeavesNoLaneWaiting(int items) {
    boolean[] closed = {true};
    ApplyLanes refused =
        new ApplyLanes(
            4,
            task -> {
              if (closed[0]) {
                throw new RejectedExecutionException("closing");
              }
              tasks.add(task);
            });
    List<String> ids = IntStream.range(0, items).mapToObj(Integer::toString).toList();
    assertThatThrownBy(() -> refused.submit(ids, Function.identity(), applied::add))
        .isInstanceOf(RejectedExecutionException.class);

    closed[0] = false;
    refused.submit(ids, Function.identity(), applied::add);
    runAll();
    assertThat(applied).containsExactlyInAnyOrderElementsOf(ids);
  }
}
