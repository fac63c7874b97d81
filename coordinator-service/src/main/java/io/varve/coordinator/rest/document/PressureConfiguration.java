package io.varve.coordinator.rest.document;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.cluster.stats.NodeReport;
import io.varve.metrics.Metric;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the limit on write bytes in flight. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PressureProperties.class)
public class PressureConfiguration {

  static final Metric BYTES =
      Metric.gauge(
          "varve.coordinating.pressure.bytes",
          "Bytes of writes that this coordinator has in flight to primaries");
  static final Metric REJECTIONS =
      Metric.counter(
          "varve.coordinating.rejections",
          "Requests rejected with 429 because bytes in flight here exceeded"
              + " `varve.indexing-pressure-bytes`");

  @Bean
  CoordinatingPressure coordinatingPressure(
      PressureProperties properties, NodeReport report, MeterRegistry meters) {
    CoordinatingPressure pressure = new CoordinatingPressure(properties.indexingPressureBytes());
    report.section("indexing_pressure", pressure::stats);
    report.pools().of("write").rejections(pressure::rejections);
    REJECTIONS.register(meters, pressure, CoordinatingPressure::rejections);
    BYTES.register(meters, pressure, CoordinatingPressure::currentBytes);
    return pressure;
  }
}
