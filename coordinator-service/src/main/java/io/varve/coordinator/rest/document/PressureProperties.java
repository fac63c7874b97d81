package io.varve.coordinator.rest.document;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code varve.*} that limit a coordinator's load.
 *
 * @param indexingPressureBytes the limit on write bytes in flight, beyond which writes are rejected
 *     with 429; 0 for a tenth of the heap
 */
@ConfigurationProperties("varve")
public record PressureProperties(@DefaultValue("0") long indexingPressureBytes) {

  public PressureProperties {
    if (indexingPressureBytes < 0) {
      throw new IllegalArgumentException(
          "varve.indexing-pressure-bytes must be >= 0, was " + indexingPressureBytes);
    }
  }
}
