package io.varve.changes;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param seeds {@code host:port} of coordinators, which are asked for the topics of indices; empty
 *     if listeners name their topics
 * @param start the position at which a group without committed offsets starts
 * @param deletedCheckMillis period of the check whether followed indices were deleted, 100 ms to an
 *     hour
 */
@ConfigurationProperties("varve.changes")
public record ChangeStreamProperties(
    @DefaultValue List<String> seeds,
    @DefaultValue("beginning") ChangeStart start,
    @DefaultValue("2000") int deletedCheckMillis) {

  private static final int LONGEST_CHECK_MILLIS = 3_600_000;

  public ChangeStreamProperties {
    seeds = List.copyOf(seeds);
    if (deletedCheckMillis < 100 || deletedCheckMillis > LONGEST_CHECK_MILLIS) {
      throw new IllegalArgumentException(
          "varve.changes.deleted-check-millis must be 100 to "
              + LONGEST_CHECK_MILLIS
              + ", was "
              + deletedCheckMillis);
    }
  }
}
