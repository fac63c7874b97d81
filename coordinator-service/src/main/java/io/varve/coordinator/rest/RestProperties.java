package io.varve.coordinator.rest;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties {@code http.*}.
 *
 * @param maxContentLength the largest accepted body; larger bodies are rejected with 413
 */
@ConfigurationProperties("http")
public record RestProperties(@DefaultValue("100MB") DataSize maxContentLength) {

  public RestProperties {
    long sizeBytes = maxContentLength.toBytes();
    if (sizeBytes < 1 || sizeBytes > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "http.max_content_length must be 1 byte to 2 GB, was " + maxContentLength);
    }
  }
}
