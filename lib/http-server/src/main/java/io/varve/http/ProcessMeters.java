package io.varve.http;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.varve.metrics.BreakerMeters;
import io.varve.metrics.Metric;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Metrics of the process in base units. They replace two metrics of Micrometer whose names end with
 * other units, and which are not exported.
 */
@Configuration(proxyBeanMethods = false)
class ProcessMeters {

  static final Metric CPU =
      Metric.counter("process.cpu.seconds", "CPU time of the process, in user and in system mode");
  static final Metric COMPILATION =
      Metric.counter("jvm.compilation.seconds", "Time that the JVM spent compiling methods");

  /**
   * The replaced metrics: their units are not seconds, and one is a gauge with the suffix of a
   * counter.
   */
  private static final Set<String> UNWANTED =
      Set.of("process.cpu.time", "jvm.compilation.time", "system.cpu.count");

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final double MILLIS_PER_SECOND = TimeUnit.SECONDS.toMillis(1);

  /** The registered meters. They read their values by functions, so no code calls this class. */
  record Registered() {}

  @Bean
  static MeterFilter withoutOtherUnits() {
    return MeterFilter.deny(
        id -> UNWANTED.contains(id.getName()) || BreakerMeters.UNWANTED.contains(id.getName()));
  }

  @Bean
  Registered processMeters(MeterRegistry meters) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      CPU.register(meters, system, s -> Math.max(0, s.getProcessCpuTime()) / NANOS_PER_SECOND);
    }
    var compiler = ManagementFactory.getCompilationMXBean();
    if (compiler != null && compiler.isCompilationTimeMonitoringSupported()) {
      COMPILATION.register(meters, compiler, c -> c.getTotalCompilationTime() / MILLIS_PER_SECOND);
    }
    return new Registered();
  }
}
