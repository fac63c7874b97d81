package io.varve.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Own heartbeats each 500 ms, and gaps of up to 2 s. */
class ReceptionTest {

  private static final long LIMIT_MILLIS = 2_000;

  private final Reception reception = new Reception(3, LIMIT_MILLIS);

  private void returned(int partition, String times) {
    Arrays.stream(times.split(" "))
        .mapToLong(Long::parseLong)
        .forEach(time -> reception.returned(partition, time));
  }

  @ParameterizedTest
  @CsvSource({
    // own heartbeats that returned, when a member was heard, its silence
    "'1000',                          1000,    0",
    "'1000 1500 2000',                1000, 1000",
    "'1000 1500 2000',                1700,  300",
    // It was never heard, or not since reception began.
    "'1000 1500 2000',                   0, 1000",
    "'1000 1500 2000',               -9999, 1000",
    // Heard after the last own heartbeat.
    "'1000 1500 2000',                2100,    0",
    // A gap of up to the limit counts.
    "'1000 3000',                     1000, 2000",
    // After a longer one, reception begins again, whatever was before.
    "'1000 3001',                     1000,    0",
    "'1000 1500 2000 9000',           1000,    0",
    "'1000 1500 2000 9000 9500',      1000,  500",
    "'1000 1500 2000 9000 9500',      9100,  400",
    // Own heartbeats that were delayed together are one sign.
    "'1000 9000 9000 9000 9000',      1000,    0",
  })
  void onlyTimeBetweenOwnHeartbeatsIsSilence(String own, long heardMillis, long silentMillis) {
    returned(0, own);
    assertThat(reception.silentMillis(0, heardMillis)).isEqualTo(silentMillis);
  }

  @Test
  void withoutAnOwnHeartbeatNobodyIsSilent() {
    assertThat(reception.silentMillis(1, 0)).isZero();
    assertThat(reception.longestSilentMillis(Long.MIN_VALUE / 2)).isZero();
  }

  @Test
  void eachPartitionIsProvenSeparately() {
    returned(0, "1000 1500 2000");
    returned(2, "1000 1500 2000 2500 3000 3500 4000 4500 5000");
    assertThat(reception.silentMillis(0, 1_000)).isEqualTo(1_000);
    assertThat(reception.silentMillis(1, 1_000)).isZero();
    assertThat(reception.silentMillis(2, 1_000)).isEqualTo(4_000);
    assertThat(reception.longestSilentMillis(1_000)).isEqualTo(4_000);
    assertThat(reception.longestSilentMillis(4_800)).isEqualTo(200);
  }

  @Test
  void saysWhenReceptionBegins() {
    assertThat(reception.returned(0, 1_000)).isTrue();
    assertThat(reception.returned(0, 3_000)).isFalse();
    assertThat(reception.returned(1, 3_000)).isTrue();
    assertThat(reception.returned(0, 5_001)).isTrue();
    assertThat(reception.returned(0, 5_001)).isFalse();
  }
}
