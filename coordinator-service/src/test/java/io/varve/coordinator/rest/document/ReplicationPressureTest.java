package io.varve.coordinator.rest.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicationPressureTest {

  private static final ReplicationPressure.Limits LIMITS =
      new ReplicationPressure.Limits(true, 4, 1_000, 0.5);

  private static CopyProgress replica(long visibleSeqNo, long checkpoints, long millis) {
    return new CopyProgress(
        "c",
        new ShardId("u", 0),
        "n",
        false,
        "STARTED",
        1,
        1,
        0,
        visibleSeqNo,
        visibleSeqNo,
        100,
        checkpoints,
        millis,
        5,
        0,
        0,
        0);
  }

  @ParameterizedTest
  @CsvSource({
    "99,  9, 5000, true",
    "99,  4, 5000, false",
    "99,  9, 1000, false",
    "100, 9, 5000, false",
  })
  void aReplicaIsStaleThatLacksOperationsAndPassesBothLimits(
      long visibleSeqNo, long checkpoints, long millis, boolean stale) {
    assertThat(
            ReplicationPressure.stale(
                List.of(replica(visibleSeqNo, checkpoints, millis)), 100, LIMITS))
        .hasSize(stale ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource({"1, 2, true", "1, 3, false", "2, 3, true", "0, 1, false", "0, 0, false"})
  void writesAreRefusedFromAShareOfStaleReplicasOn(int stale, int all, boolean refused) {
    List<CopyProgress> replicas =
        IntStream.range(0, all)
            .mapToObj(i -> i < stale ? replica(0, 9, 5_000) : replica(100, 0, 0))
            .toList();

    assertThat(ReplicationPressure.stale(replicas, 100, LIMITS).isEmpty()).isEqualTo(!refused);
  }

  @Test
  void nothingIsRefusedWhenItIsSwitchedOff() {
    assertThat(
            ReplicationPressure.stale(
                List.of(replica(0, 9, 5_000)),
                100,
                new ReplicationPressure.Limits(false, 4, 1_000, 0.5)))
        .isEmpty();
  }
}
