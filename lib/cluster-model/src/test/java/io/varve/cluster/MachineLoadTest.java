package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MachineLoadTest {

  private final AtomicInteger samples = new AtomicInteger();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final MachineLoad load =
      new MachineLoad(
          () -> new MachineLoad.Sample(0.5, 100, samples.incrementAndGet(), 1), nanos::get);

  private long sampleNow() {
    return load.now().memoryTotalBytes();
  }

  @Test
  void membersOfAProcessShareASampleForASecond() {
    assertThat(sampleNow()).isEqualTo(1);
    nanos.addAndGet(MachineLoad.VALID_FOR.toNanos() - 1);
    assertThat(sampleNow()).isEqualTo(1);
    nanos.addAndGet(1);
    assertThat(sampleNow()).isEqualTo(2);
    assertThat(sampleNow()).isEqualTo(2);
  }

  @Test
  void aSampleOfThisMachineIsPlausible() {
    MachineLoad.Sample sample = MachineLoad.SHARED.now();

    assertThat(sample.cpuFraction()).isBetween(0.0, 1.0);
    assertThat(sample.memoryTotalBytes()).isPositive();
    assertThat(sample.memoryUsedBytes()).isBetween(0L, sample.memoryTotalBytes());
    assertThat(sample.load1m()).isNotNegative();
  }
}
