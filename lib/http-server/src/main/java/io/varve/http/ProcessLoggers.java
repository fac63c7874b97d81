package io.varve.http;

import io.varve.cluster.LoggerLevels;
import io.varve.cluster.LoggerLevels.Level;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;

/** The loggers of this process, through Spring Boot's logging system. */
public final class ProcessLoggers implements LoggerLevels.Loggers {

  private static final LoggerLevels LEVELS =
      new LoggerLevels(
          new ProcessLoggers(LoggingSystem.get(ProcessLoggers.class.getClassLoader())));

  private final LoggingSystem system;

  private ProcessLoggers(LoggingSystem system) {
    this.system = system;
  }

  /** The levels of this process's loggers, which all of its nodes share. */
  public static LoggerLevels levels() {
    return LEVELS;
  }

  @Override
  public @Nullable Level level(String name) {
    LoggerConfiguration configuration = system.getLoggerConfiguration(nameInSystem(name));
    LogLevel level = configuration == null ? null : configuration.getConfiguredLevel();
    return level == null ? null : Level.valueOf(level.name());
  }

  @Override
  public void setLevel(String name, @Nullable Level level) {
    system.setLogLevel(nameInSystem(name), level == null ? null : ofSystem(level));
  }

  private static String nameInSystem(String name) {
    return name.isEmpty() ? LoggingSystem.ROOT_LOGGER_NAME : name;
  }

  private static LogLevel ofSystem(Level level) {
    return level == Level.ALL ? LogLevel.TRACE : LogLevel.valueOf(level.name());
  }
}
