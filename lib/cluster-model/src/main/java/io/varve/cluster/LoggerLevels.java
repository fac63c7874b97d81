package io.varve.cluster;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sets the levels of this process's loggers from the cluster settings {@code logger.<name>}; {@code
 * logger._root} is the root logger. A logger whose setting is removed gets back the level that it
 * had before its first change.
 *
 * <p>All nodes of a process share its loggers, so they share one instance.
 */
public final class LoggerLevels {

  private static final String PREFIX = "logger.";
  private static final String ROOT = "_root";

  private final Loggers loggers;
  private final Map<String, Optional<Level>> originals = new HashMap<>();

  /** The levels of loggers, from none to all messages. */
  public enum Level {
    OFF,
    FATAL,
    ERROR,
    WARN,
    INFO,
    DEBUG,
    TRACE,
    ALL;

    static Optional<Level> named(String text) {
      String name = text.strip().toUpperCase(Locale.ROOT);
      return Stream.of(values()).filter(level -> level.name().equals(name)).findFirst();
    }
  }

  /** The loggers of this process; the name of the root logger is empty. */
  public interface Loggers {

    /** The level that is set for this logger itself; {@code null} if it inherits its level. */
    @Nullable Level level(String name);

    /**
     * @param level {@code null} if the logger inherits its level
     */
    void setLevel(String name, @Nullable Level level);
  }

  public LoggerLevels(Loggers loggers) {
    this.loggers = loggers;
  }

  /** Follows the settings of one node's cluster; for one thread at a time. */
  public Consumer<ClusterState> listener() {
    return new Consumer<>() {
      private Map<String, Level> applied = Map.of();

      @Override
      public void accept(ClusterState state) {
        Map<String, Level> wanted = levels(state);
        if (!wanted.equals(applied)) {
          change(applied, wanted);
          applied = wanted;
        }
      }
    };
  }

  private synchronized void change(Map<String, Level> from, Map<String, Level> to) {
    from.keySet().stream()
        .filter(name -> !to.containsKey(name))
        .forEach(name ->
            loggers.setLevel(name, Objects.requireNonNull(originals.get(name)).orElse(null)));
    to.forEach((name, level) -> {
      originals.computeIfAbsent(name, _ -> Optional.ofNullable(loggers.level(name)));
      loggers.setLevel(name, level);
    });
  }

  /** Transient settings override persistent ones. */
  private static Map<String, Level> levels(ClusterState state) {
    Map<String, Level> levels = new TreeMap<>();
    Stream.of(state.persistentSettings(), state.transientSettings())
        .forEach(settings ->
            settings.forEach((name, value) -> {
              if (name.startsWith(PREFIX)) {
                String logger = name.substring(PREFIX.length());
                // Earlier releases may have stored values that are not levels.
                Level.named(value)
                    .ifPresent(level -> levels.put(logger.equals(ROOT) ? "" : logger, level));
              }
            }));
    return levels;
  }
}
