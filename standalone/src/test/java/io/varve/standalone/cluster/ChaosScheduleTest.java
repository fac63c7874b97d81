package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChaosScheduleTest {

  @Test
  void theSeedRepeatsTheSchedule() {
    assertThat(ChaosSchedule.of(7, 600_000, 2)).isEqualTo(ChaosSchedule.of(7, 600_000, 2));
    assertThat(ChaosSchedule.of(7, 600_000, 2).events())
        .isNotEqualTo(ChaosSchedule.of(8, 600_000, 2).events());
  }

  @Test
  void tenMinutesBringEachKindOfFault() {
    assertThat(ChaosSchedule.of(1, 600_000, 2).events())
        .extracting(event -> event.fault().getClass().getSimpleName())
        .contains("Kill", "Freeze", "CutLink", "StoreOutage", "MovePrimary");
  }
}
