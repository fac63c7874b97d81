package io.varve.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.log.RetentionPlanner.Need;
import io.varve.log.RetentionPlanner.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetentionPlannerTest {

  private static Plan plan(long margin, long step, long start, long end, Need... needs) {
    return new RetentionPlanner(margin, step).plan(start, end, List.of(needs));
  }

  @Test
  void forgetsUpToTheLowestNeedLessTheMargin() {
    assertThat(plan(10, 1, 0, 1_000, new Need("a", 500), new Need("b", 300)))
        .isEqualTo(new Plan.ForgetBefore(290));
  }

  @Test
  void keepsEverythingWhenNobodyHasSaidWhatIsNeeded() {
    assertThat(plan(0, 1, 0, 1_000)).isInstanceOf(Plan.Keep.class);
  }

  @Test
  void forgetsInStepsOfTheGivenSize() {
    assertThat(plan(0, 100, 250, 1_000, new Need("a", 349)))
        .isEqualTo(new Plan.Keep("a needs offset 349, the start is 250"));
    assertThat(plan(0, 100, 250, 1_000, new Need("a", 350))).isEqualTo(new Plan.ForgetBefore(350));
  }

  @Test
  void namesWhoHoldsItBack() {
    assertThat(plan(0, 100, 250, 1_000, new Need("a", 900), new Need("slow", 300)))
        .isEqualTo(new Plan.Keep("slow needs offset 300, the start is 250"));
  }

  @Test
  void aNeedBehindTheEndForgetsUpToTheEndAtMost() {
    assertThat(plan(0, 1, 0, 50, new Need("ahead", 80))).isEqualTo(new Plan.ForgetBefore(50));
  }

  @Test
  void neverPassesANeed() {
    for (long seed = 0; seed < 5_000; seed++) {
      Random random = new Random(seed);
      List<Need> needs = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        needs.add(new Need("n" + i, random.nextInt(200)));
      }
      long start = random.nextInt(100);
      long end = start + random.nextInt(100);
      Plan plan = new RetentionPlanner(random.nextInt(20), 1).plan(start, end, needs);
      if (plan instanceof Plan.ForgetBefore forget) {
        assertThat(needs)
            .as("seed %d", seed)
            .allMatch(need -> forget.offset() <= need.fromOffset());
        assertThat(forget.offset()).as("seed %d", seed).isBetween(start + 1, end);
      }
    }
  }

  @Test
  void refusesNonsense() {
    assertThatThrownBy(() -> new RetentionPlanner(-1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RetentionPlanner(0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Need("a", -1)).isInstanceOf(IllegalArgumentException.class);
  }
}
