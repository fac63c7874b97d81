package io.varve.load.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.varve.load.budget.ThreadTimes.Named;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CpuBudgetTest {

  @Test
  void theTimeOfJavaCodeIsDividedAsItsSamplesAre() {
    CpuBudget budget =
        CpuBudget.of(
            Map.of(Stage.GC, 1.0, Stage.OTHER, 4.0),
            Map.of(
                Stage.PARSE, 500_000_000L, Stage.HTTP, 1_000_000_000L, Stage.OTHER, 500_000_000L));

    assertThat(budget.of(Stage.GC)).isEqualTo(1.0);
    assertThat(budget.of(Stage.PARSE)).isEqualTo(1.0);
    assertThat(budget.of(Stage.HTTP)).isEqualTo(2.0);
    assertThat(budget.of(Stage.OTHER)).isEqualTo(1.0);
    assertThat(budget.total()).isEqualTo(5.0);
    assertThat(budget.sampledShare()).isEqualTo(0.5);
  }

  @Test
  void withoutSamplesAllJavaCodeIsOther() {
    CpuBudget budget = CpuBudget.of(Map.of(Stage.JIT, 2.0, Stage.OTHER, 3.0), Map.of());

    assertThat(budget.of(Stage.OTHER)).isEqualTo(3.0);
    assertThat(budget.total()).isEqualTo(5.0);
    assertThat(budget.sampledShare()).isZero();
  }

  @Test
  void threadsThatEndedCountAsJavaCode() {
    ThreadTimes before =
        new ThreadTimes(10, Map.of("1", new Named("GC Thread#0", 3), "2", new Named("worker", 7)));
    ThreadTimes after =
        new ThreadTimes(
            20, Map.of("1", new Named("GC Thread#0", 4), "3", new Named("C2 CompilerThre", 2)));

    assertThat(after.since(before))
        .isEqualTo(Map.of(Stage.GC, 1.0, Stage.JIT, 2.0, Stage.OTHER, 7.0));
  }

  @Test
  void aNameOfAThreadMayContainSpacesAndParentheses() {
    assertThat(ThreadTimes.parse("17 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0 1 0 5"))
        .isEqualTo(new Named("a (b) c", 2.0));
  }

  @Test
  void theThreadsOfThisProcessUseItsTime() throws IOException {
    ThreadTimes times = ThreadTimes.read(ProcessHandle.current().pid());

    double threads = times.threads().values().stream().mapToDouble(Named::seconds).sum();
    assertThat(threads).isGreaterThan(0).isLessThanOrEqualTo(times.processSeconds() + 1);
    assertThat(times.since(times).get(Stage.OTHER)).isCloseTo(0, within(1e-9));
  }
}
