package io.varve.selection;

import static io.varve.selection.Coordinator.copies;
import static io.varve.selection.Coordinator.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.selection.SelectionSettings.Hedging;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the limit on hedges and shadows together: at most five per hundred requests. */
class ExtraWorkTest {

  private static final long SECOND = 1_000_000_000;

  private final ExtraWork extra = new ExtraWork();

  private void requests(int count) {
    for (int i = 0; i < count; i++) {
      extra.firstSent(Hedging.DEFAULTS, 0);
    }
  }

  private int hedges() {
    int hedges = 0;
    while (extra.hedge()) {
      hedges++;
    }
    return hedges;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.05, 0.2})
  void theShareHoldsFromTheFirstRequestOn(double share) {
    Hedging hedging = new Hedging(true, 0.98, SECOND, share);
    int spent = 0;
    for (int sent = 1; sent <= 5_000; sent++) {
      extra.firstSent(hedging, 0);
      if (extra.mayShadow(0)) {
        extra.shadowSent(0);
        spent++;
      }
      spent += hedges();
      assertThat((double) spent).as("after %d requests", sent).isLessThanOrEqualTo(share * sent);
    }
    assertThat(spent).as("and most of it can be used").isGreaterThan((int) (0.75 * share * 5_000));
  }

  @Test
  void theShareHoldsInAnyThousandRequestsThoughNothingWasUsedBefore() {
    requests(100_000);

    int spent = hedges();
    for (int i = 0; i < 1_000; i++) {
      requests(1);
      spent += hedges();
    }

    assertThat(spent).isBetween(48, 50);
  }

  @Test
  void aSmallShareSavesUpForAHedge() {
    Hedging hedging = new Hedging(true, 0.98, SECOND, 0.002);
    for (int sent = 0; sent < 5_000; sent++) {
      extra.firstSent(hedging, 0);
    }
    assertThat(hedges()).isEqualTo(1);
  }

  @Test
  void hedgesLeaveOneForAShadow() {
    requests(1_000);

    assertThat(hedges()).isEqualTo(9);
    assertThat(extra.mayShadow(0)).isTrue();
    extra.shadowSent(0);
    assertThat(extra.mayShadow(0)).isFalse();
  }

  @Test
  void aShareOfNothingIsNothing() {
    Hedging none = new Hedging(true, 0.98, SECOND, 0);
    requests(1_000);

    extra.firstSent(none, 0);

    assertThat(hedges()).isZero();
    assertThat(extra.mayShadow(10 * SECOND)).isFalse();
  }

  @Test
  void whereFewSearchOneShadowASecondIsFree() {
    requests(1);
    assertThat(extra.mayShadow(SECOND - 1)).isFalse();
    assertThat(extra.mayShadow(SECOND)).isTrue();
    extra.shadowSent(SECOND);
    assertThat(extra.mayShadow(2 * SECOND - 1)).isFalse();
    assertThat(extra.mayShadow(2 * SECOND)).isTrue();

    requests(50);
    assertThat(hedges()).as("what was free is not paid for later").isEqualTo(1);
  }

  @Test
  void aSlowNodeTakesNoMoreShadowsThanTheShareAllowsHoweverManySearch() {
    Coordinator coordinator = Coordinator.adaptive();
    coordinator.answer("slow", 1, report(10, 0));
    coordinator.answer("fast", 1, report(1, 0));
    int shadows = 0;
    for (int i = 0; i < 1_000; i++) {
      coordinator.clock.advanceMillis(30);
      SearchSelection search = coordinator.search();
      CopyOrder order = search.order("shard", copies("slow", "fast"));
      Attempt first = search.sent("shard", order.nodes().getFirst(), Purpose.FIRST);
      if (order.shadow().isPresent()) {
        shadows++;
        Attempt shadow = search.sent("shard", "slow", Purpose.SHADOW);
        shadow.answered(1_000 * Coordinator.MILLI, report(10, 0));
      }
      first.answered(100 * Coordinator.MILLI, report(1, 0));
    }
    assertThat(shadows).isBetween(30, 50);
  }

  @Test
  void withoutHedgesShadowsHaveTheirShareStill() {
    Coordinator coordinator = new Coordinator(SelectionSettings.DEFAULTS.with(Hedging.off()));
    coordinator.answer("slow", 1, report(10, 0));
    for (int i = 0; i < 50; i++) {
      coordinator.answer("fast", 1, report(1, 0));
    }
    coordinator.clock.advanceMillis(300);

    CopyOrder order = coordinator.search().order("shard", copies("slow", "fast"));

    assertThat(order.shadow()).contains("slow");
    assertThat(coordinator.search().hedge("slow", List.of("fast"))).isEmpty();
  }
}
