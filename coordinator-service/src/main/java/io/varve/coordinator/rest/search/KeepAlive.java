package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.rest.TimeText;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.text.TimeValues;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Parses the keep-alive of scrolls and points in time, and enforces its limits. */
final class KeepAlive {

  private KeepAlive() {}

  /**
   * Returns the keep-alive of a scroll in milliseconds; {@code null} selects the cluster's default.
   */
  static long ofScroll(ClusterState state, @Nullable String text) {
    String wanted =
        text == null || text.isEmpty() ? value(state, ClusterSettings.DEFAULT_KEEP_ALIVE) : text;
    return checked(state, "scroll", wanted, ClusterSettings.MAX_KEEP_ALIVE, "request");
  }

  static long ofPit(ClusterState state, String text) {
    return checked(
        state, "keep_alive", text, ClusterSettings.MAX_PIT_KEEP_ALIVE, "Point In Time request");
  }

  private static long checked(
      ClusterState state, String parameter, String text, String limitName, String what) {
    long millis = TimeValues.clampedMillis(parameter, text);
    if (millis <= 0) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "[" + parameter + "] must be a positive time value, was [" + text + "]"));
    }
    long limit = ClusterSettings.millis(state, limitName);
    if (millis > limit) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "Keep alive for "
                  + what
                  + " ("
                  + (TimeValues.isTooLong(millis)
                      ? text.strip()
                      : TimeText.of(Duration.ofMillis(millis)))
                  + ") is too large. It must be less than ("
                  + TimeText.of(Duration.ofMillis(limit))
                  + "). This limit can be set by changing the ["
                  + limitName
                  + "] cluster level setting."));
    }
    return millis;
  }

  private static String value(ClusterState state, String name) {
    return String.valueOf(ClusterSettings.value(state, name));
  }
}
