package io.varve.cluster;

import com.sun.management.OperatingSystemMXBean;
import io.varve.process.Ticker;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The load of the machine, sampled at most once a second: in a container, each sample parses many
 * files of the control group. The members of a process share its samples. The CPU load is the mean
 * since the previous sample, so samples in quick succession would also be inaccurate.
 */
final class MachineLoad {

  static final Duration VALID_FOR = Duration.ofSeconds(1);

  /** The samples of this process. */
  static final MachineLoad SHARED =
      new MachineLoad(
          samples(ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)), Ticker.SYSTEM);

  /** Fractions are of 1; values that the machine does not have are 0. */
  record Sample(double cpuFraction, long memoryUsedBytes, long memoryTotalBytes, double load1m) {}

  private final Supplier<Sample> source;
  private final Ticker ticker;
  private @Nullable Sample last;
  private long sampledNanos;

  MachineLoad(Supplier<Sample> source, Ticker ticker) {
    this.source = source;
    this.ticker = ticker;
  }

  private static Supplier<Sample> samples(OperatingSystemMXBean system) {
    return () -> {
      long total = system.getTotalMemorySize();
      return new Sample(
          Math.max(0, system.getCpuLoad()),
          total - system.getFreeMemorySize(),
          total,
          Math.max(0, system.getSystemLoadAverage()));
    };
  }

  synchronized Sample now() {
    Sample sample = last;
    if (sample == null || ticker.nanos() - sampledNanos >= VALID_FOR.toNanos()) {
      sample = source.get();
      last = sample;
      sampledNanos = ticker.nanos();
    }
    return sample;
  }
}
