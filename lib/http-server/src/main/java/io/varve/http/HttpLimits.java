package io.varve.http;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties {@code http.*}, which limit how slow clients may be, how many connections they may
 * open, and the headers of their requests.
 *
 * @param headerTimeout from the first byte of a request to the end of its headers
 * @param minRate minimum average bytes per second at which a client sends a body and reads a
 *     response; 0 for no limit
 * @param rateGrace waiting time before the rate applies
 * @param idleTimeout time without a byte after which a connection is closed
 * @param maxConnections open connections above which new ones are closed immediately; 0 for one per
 *     128 kB of heap, from 1,024 to 20,000
 * @param maxHeaderSize longest request line and headers together
 * @param drainTimeout how long a stopping process waits for requests in progress
 */
@ConfigurationProperties("http")
public record HttpLimits(
    @DefaultValue("30s") Duration headerTimeout,
    @DefaultValue("1KB") DataSize minRate,
    @DefaultValue("30s") Duration rateGrace,
    @DefaultValue("5m") Duration idleTimeout,
    @DefaultValue("0") int maxConnections,
    @DefaultValue("16KB") DataSize maxHeaderSize,
    @DefaultValue("10s") Duration drainTimeout) {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long HEAP_BYTES_PER_CONNECTION = 128 << 10;

  public HttpLimits {
    requireBetween("http.header-timeout", headerTimeout, SECOND, Duration.ofMinutes(10));
    requireBetween("http.rate-grace", rateGrace, SECOND, Duration.ofMinutes(10));
    requireBetween("http.idle-timeout", idleTimeout, SECOND, Duration.ofHours(1));
    requireBetween("http.drain-timeout", drainTimeout, Duration.ZERO, Duration.ofMinutes(10));
    if (minRate.toBytes() < 0 || minRate.toBytes() > 1 << 30) {
      throw new IllegalArgumentException("http.min-rate must be 0 bytes to 1 GB, was " + minRate);
    }
    if (maxConnections < 0 || maxConnections > 1_000_000) {
      throw new IllegalArgumentException(
          "http.max-connections must be 0 to 1000000, was " + maxConnections);
    }
    if (maxHeaderSize.toBytes() < 4 << 10 || maxHeaderSize.toBytes() > 1 << 20) {
      throw new IllegalArgumentException(
          "http.max-header-size must be 4 KB to 1 MB, was " + maxHeaderSize);
    }
  }

  private static void requireBetween(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          name
              + " must be "
              + least.toSeconds()
              + " s to "
              + most.toSeconds()
              + " s, was "
              + value.toMillis()
              + " ms");
    }
  }

  /** The connection limit of a process with this much heap. */
  int connections(long maxHeapBytes) {
    return maxConnections > 0
        ? maxConnections
        : Math.clamp(maxHeapBytes / HEAP_BYTES_PER_CONNECTION, 1024, 20_000);
  }

  ClientPace pace() {
    return new ClientPace(headerTimeout.toNanos(), rateGrace.toNanos(), minRate.toBytes());
  }
}
