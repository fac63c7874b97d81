package io.varve.http;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code varve.metrics.*}.
 *
 * @param copies rows, such as copies, that are exported one by one; above that, the shards of an
 *     index are exported as one
 */
@ConfigurationProperties("varve.metrics")
public record MetricsProperties(@DefaultValue("500") int copies) {

  public MetricsProperties {
    if (copies < 0 || copies > 100_000) {
      throw new IllegalArgumentException("varve.metrics.copies must be 0 to 100000, was " + copies);
    }
  }
}
