package io.varve.coordinator.rest.document;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.varve.cluster.stats.NodeReport;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the limit on write bytes in flight. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PressureProperties.class)
public class PressureConfiguration {

  @Bean
  CoordinatingPressure coordinatingPressure(
      PressureProperties properties, NodeReport report, MeterRegistry meters) {
    CoordinatingPressure pressure = new CoordinatingPressure(properties.indexingPressureBytes());
    report.section("indexing_pressure", pressure::stats);
    report.pools().of("write").rejections(pressure::rejections);
    FunctionCounter.builder(
            "varve.coordinating.rejections", pressure, CoordinatingPressure::rejections)
        .register(meters);
    Gauge.builder("varve.coordinating.pressure.bytes", pressure, CoordinatingPressure::currentBytes)
        .strongReference(true)
        .register(meters);
    return pressure;
  }
}
