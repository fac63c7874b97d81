package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.rpc.PullerStats;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the metrics of pullers. */
class FollowerMetersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private List<PullerStats> pullers = List.of();
  private final FollowerMeters meters =
      new FollowerMeters(() -> pullers, uuid -> "name-of-" + uuid, registry, 100);

  private static PullerStats puller(int shard, String state, long lagMillis) {
    return new PullerStats(
        "u",
        shard,
        state,
        40,
        40,
        30,
        30,
        40,
        11,
        12,
        13,
        14,
        15,
        16,
        1,
        18,
        19,
        lagMillis,
        21,
        "",
        new PullerStats.Activity(0, 0, 0, 0, 0, 0, 37, 0, 39, 40, 41),
        null);
  }

  private double gauge(String name, String shard) {
    Gauge gauge = registry.find(name).tags("index", "name-of-u", "shard", shard).gauge();
    return gauge == null ? Double.NaN : gauge.value();
  }

  private double counter(String name, String shard) {
    return registry.get(name).tags("index", "name-of-u", "shard", shard).functionCounter().count();
  }

  private double followers(String state) {
    return registry.get("varve.followers").tag("state", state).gauge().value();
  }

  @Test
  void eachShardHasItsLagAndItsCounters() {
    pullers = List.of(puller(0, "PULLING", 20), puller(1, "PULLING", 5));

    meters.renew();

    assertThat(gauge("varve.follower.lag.seconds", "0")).isEqualTo(0.02);
    assertThat(gauge("varve.follower.lag.seconds", "1")).isEqualTo(0.005);
    assertThat(gauge("varve.follower.lag.operations", "0")).isEqualTo(10);
    assertThat(gauge("varve.follower.lag.bytes", "0")).isEqualTo(39);
    assertThat(counter("varve.follower.operations.read", "0")).isEqualTo(11);
    assertThat(counter("varve.follower.operations.written", "0")).isEqualTo(12);
    assertThat(counter("varve.follower.read.bytes", "0")).isEqualTo(13);
    assertThat(counter("varve.follower.reads.failed", "0")).isEqualTo(37);
    assertThat(counter("varve.follower.writes.failed", "0")).isEqualTo(16);
    assertThat(counter("varve.follower.duplicates.skipped", "0")).isEqualTo(40);
    assertThat(counter("varve.follower.gaps.detected", "0")).isEqualTo(41);
  }

  @Test
  void theLagInOperationsIsAbsentWhileTheLeaderDoesNotAnswer() {
    pullers = List.of(puller(0, "WAITING", 90_000));

    meters.renew();

    assertThat(gauge("varve.follower.lag.operations", "0")).isNaN();
    assertThat(gauge("varve.follower.lag.bytes", "0")).isNaN();
    assertThat(gauge("varve.follower.lag.seconds", "0")).isEqualTo(90);
  }

  @Test
  void aStateWithoutPullersIsZero() {
    pullers = List.of(puller(0, "LOST", 5), puller(1, "PULLING", 5));
    meters.renew();
    assertThat(followers("lost")).isEqualTo(1);
    assertThat(followers("pulling")).isEqualTo(1);

    pullers = List.of();
    meters.renew();

    assertThat(followers("lost")).isZero();
    assertThat(gauge("varve.follower.lag.seconds", "0")).isNaN();
  }
}
