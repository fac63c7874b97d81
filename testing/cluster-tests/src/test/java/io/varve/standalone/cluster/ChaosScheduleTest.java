package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChaosScheduleTest {

  private static final List<ChaosSchedule.Shard> SHARDS =
      List.of(new ChaosSchedule.Shard("a", 0), new ChaosSchedule.Shard("b", 1));

  @Test
  void theSeedRepeatsTheSchedule() {
    assertThat(ChaosSchedule.of(7, 600_000, SHARDS))
        .isEqualTo(ChaosSchedule.of(7, 600_000, SHARDS));
    assertThat(ChaosSchedule.of(7, 600_000, SHARDS).events())
        .isNotEqualTo(ChaosSchedule.of(8, 600_000, SHARDS).events());
  }

  @Test
  void tenMinutesBringEachKindOfFault() {
    assertThat(ChaosSchedule.of(1, 600_000, SHARDS).events())
        .extracting(event -> event.fault().getClass().getSimpleName())
        .contains("Kill", "Freeze", "CutLink", "StoreOutage", "MovePrimary", "KillEverything");
  }
}
