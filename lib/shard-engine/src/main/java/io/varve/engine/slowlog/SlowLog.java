package io.varve.engine.slowlog;

import io.varve.rpc.ApiException;
import io.varve.text.TimeValues;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The slow log of one phase of an index. Settings and loggers have OpenSearch's names:
 *
 * <pre>
 *   phase   settings                                              logger
 *   QUERY   index.search.slowlog.threshold.query.{level}          index.search.slowlog.query
 *   FETCH   index.search.slowlog.threshold.fetch.{level}          index.search.slowlog.fetch
 *   INDEX   index.indexing.slowlog.threshold.index.{level}        index.indexing.slowlog.index
 * </pre>
 *
 * An execution is logged once, at the most severe level whose threshold it exceeds. A threshold
 * that is negative or can't be parsed logs nothing; indices of earlier versions may have malformed
 * ones. {@code index.search.slowlog.level} and {@code index.indexing.slowlog.level} are the least
 * severe level that is logged.
 */
public final class SlowLog {

  /** An operation that the slow log measures. */
  public enum Phase {
    QUERY("index.search.slowlog.threshold.query.", "index.search.slowlog.level"),
    FETCH("index.search.slowlog.threshold.fetch.", "index.search.slowlog.level"),
    INDEX("index.indexing.slowlog.threshold.index.", "index.indexing.slowlog.level");

    private final String thresholds;
    private final String level;
    private final String loggerName;

    Phase(String thresholds, String level) {
      this.thresholds = thresholds;
      this.level = level;
      String name = thresholds.replace(".threshold", "");
      this.loggerName = name.substring(0, name.length() - 1);
    }

    private List<Threshold> thresholds(Map<String, String> settings) {
      int least = severity(settings.getOrDefault(level, "trace"));
      return Stream.of(
              threshold(settings, "warn", Level.WARN),
              threshold(settings, "info", Level.INFO),
              threshold(settings, "debug", Level.DEBUG),
              threshold(settings, "trace", Level.TRACE))
          .filter(threshold -> threshold.nanos >= 0)
          .filter(threshold -> threshold.level.toInt() >= least)
          .toList();
    }

    private Threshold threshold(Map<String, String> settings, String name, Level at) {
      String setting = thresholds + name;
      try {
        return new Threshold(at, TimeValues.nanos(setting, settings.getOrDefault(setting, "-1")));
      } catch (ApiException e) {
        return new Threshold(at, -1);
      }
    }

    private static int severity(String level) {
      return switch (level.toLowerCase(Locale.ROOT)) {
        case "warn" -> Level.WARN.toInt();
        case "info" -> Level.INFO.toInt();
        case "debug" -> Level.DEBUG.toInt();
        default -> Level.TRACE.toInt();
      };
    }
  }

  private record Threshold(Level level, long nanos) {}

  private final Logger logger;

  /** Ordered from the most severe level, without thresholds that log nothing. */
  private final List<Threshold> thresholds;

  private SlowLog(Logger logger, List<Threshold> thresholds) {
    this.logger = logger;
    this.thresholds = thresholds;
  }

  /** The slow log of an index with these settings. */
  public static SlowLog of(Phase phase, Map<String, String> settings) {
    return new SlowLog(LoggerFactory.getLogger(phase.loggerName), phase.thresholds(settings));
  }

  /** Whether any execution could be logged. */
  public boolean enabled() {
    return !thresholds.isEmpty();
  }

  /** The log level for an execution of this duration; null if it is not logged. */
  public @Nullable Level level(long tookNanos) {
    for (Threshold threshold : thresholds) {
      if (tookNanos > threshold.nanos) {
        return threshold.level;
      }
    }
    return null;
  }

  /**
   * Logs an execution if it was slow.
   *
   * @param shard on which it was executed; begins the message
   * @param details the rest of the message
   */
  public void took(long nanos, String shard, Supplier<String> details) {
    Level level = level(nanos);
    if (level != null) {
      logger
          .atLevel(level)
          .log(() ->
              "%s took[%s], took_millis[%d], %s"
                  .formatted(shard, TimeValues.text(nanos), nanos / 1_000_000, details.get()));
    }
  }
}
