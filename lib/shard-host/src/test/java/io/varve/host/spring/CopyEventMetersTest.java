package io.varve.host.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.events.ShardId;
import io.varve.host.CopyContext.GateChange;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the metrics of the events of copies. */
class CopyEventMetersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final CopyEventMeters events = new CopyEventMeters(registry, uuid -> "name-of-" + uuid);

  private static ShardId shard(String uuid) {
    return new ShardId(uuid, 0);
  }

  @Test
  void eachManifestIsRecordedOnceByIndex() {
    events.shown(shard("a"), 40);
    events.shown(shard("a"), 3_000);
    events.shown(shard("b"), 5);

    Timer lags = registry.get("varve.copy.shown.lag").tag("index", "name-of-a").timer();

    assertThat(lags.count()).isEqualTo(2);
    assertThat(lags.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(3_040);
    assertThat(lags.takeSnapshot().histogramCounts())
        .anySatisfy(bucket -> {
          assertThat(bucket.bucket(TimeUnit.MILLISECONDS)).isEqualTo(50);
          assertThat(bucket.count()).isEqualTo(1);
        });
  }

  @Test
  void theTimerOfAnIndexEndsWithItsLastCopy() {
    events.shown(shard("a"), 40);

    events.retain(List.of());

    assertThat(registry.find("varve.copy.shown.lag").timers()).isEmpty();
  }

  @Test
  void changesOfGatesAreCounted() {
    events.gate(shard("a"), GateChange.OPENED);
    events.gate(shard("a"), GateChange.FENCED);
    events.gate(shard("b"), GateChange.OPENED);

    assertThat(count("opened")).isEqualTo(2);
    assertThat(count("fenced")).isEqualTo(1);
    assertThat(count("closed")).isZero();
  }

  private double count(String change) {
    return registry.get("varve.write.gates").tag("change", change).functionCounter().count();
  }
}
